import type { Answer } from "../../contracts/answer.ts";
import type { ChatMessage, ChatRequest } from "../../contracts/chat-request.ts";
import type { Step, UnitTask } from "../../contracts/runs/unit.ts";
import type { QualityOptions } from "./options.ts";
import type { QualitySample } from "./sample.ts";

/**
 * One request per sample: its system message, if any, and its unchanged prompt.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options }: UnitTask<QualitySample, QualityOptions>,
  replies: readonly Answer[],
): Step {
  if (replies.length > 0) return { kind: "done", answers: [replies[0]!] };
  return { kind: "ask", request: requestOf(samples[0]!, options) };
}

/** Omits sampling parameters that are null, so the endpoint's defaults apply. */
function requestOf({ prompt, system }: QualitySample, options: QualityOptions): ChatRequest {
  const { temperature, maxTokens, topP, presencePenalty, frequencyPenalty, seed } = options;
  const messages: ChatMessage[] = [{ role: "user", content: prompt }];
  if (system) messages.unshift({ role: "system", content: system });
  return {
    messages,
    temperature,
    maxTokens,
    ...(topP !== null && { topP }),
    ...(presencePenalty !== null && { presencePenalty }),
    ...(frequencyPenalty !== null && { frequencyPenalty }),
    ...(seed !== null && { seed }),
  };
}
