import type { Answer } from "../../contracts/answer.ts";
import type { ChatMessage, ChatRequest } from "../../contracts/chat-request.ts";
import type { JsonObject } from "../../contracts/json.ts";
import type { Step, UnitTask } from "../../contracts/suite.ts";
import { hybridAnswer, isLocalKept } from "../../measures/hybrid.ts";
import type { ToolsOptions } from "./options.ts";
import { type ToolsSample, toolFunction } from "./sample.ts";

/**
 * One request a sample. Of a hybrid target the local endpoint is asked first, then the cloud if the
 * local answer is not kept; with `hybridSweep` both are.
 * Source: docs/spec/tools.md, data; source and hybrid routing.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options, hybrid }: UnitTask<ToolsSample, ToolsOptions>,
  replies: readonly Answer[],
): Step {
  const [first, second] = replies;
  const request = requestOf(samples[0]!, options);
  if (!hybrid) {
    return first ? { kind: "done", answers: [first] } : { kind: "ask", request };
  }
  if (!first) return { kind: "ask", to: "local", request: { ...request, logprobs: true } };
  const wantsCloud = options.hybridSweep || !isLocalKept(first, hybrid.confidenceThreshold);
  if (!second && wantsCloud) return { kind: "ask", to: "cloud", request };
  return { kind: "done", answers: [hybridAnswer(first, second ?? null, hybrid)] };
}

function requestOf({ messages, tools }: ToolsSample, options: ToolsOptions): ChatRequest {
  const { temperature, maxTokens, toolMode, toolPrompt } = options;
  const functions = tools.map(toolFunction);
  if (toolMode === "native") {
    // Endpoints refuse an empty list.
    const wrapped = functions.map((one): JsonObject => ({ type: "function", function: one }));
    return { messages, temperature, maxTokens, ...(wrapped.length > 0 && { tools: wrapped }) };
  }
  const text = toolPrompt.replace("{tools}", () => JSON.stringify(functions, null, 1));
  return { messages: withSystem(messages, text), temperature, maxTokens };
}

/** Merged with the conversation's own system message, because some templates accept only one. */
function withSystem(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...rest];
}
