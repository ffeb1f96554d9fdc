import type { StructuredMode } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import { modeFields } from "./structured-mode.ts";

/** The body of a chat completion request, without parameters that the endpoint refuses. */
export function chatBody(
  endpoint: Pick<Endpoint, "model" | "maxTokensParam">,
  request: ChatRequest,
  mode: StructuredMode,
  refused: ReadonlySet<string>,
): JsonObject {
  const optional: Record<string, Json | undefined> = {
    temperature: request.temperature ?? undefined,
    top_p: request.topP,
    [endpoint.maxTokensParam]: request.maxTokens,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    seed: request.seed,
    logprobs: request.logprobs || undefined,
    tools: request.tools,
  };
  const given = Object.entries(optional).filter(
    ([name, value]) => value !== undefined && !refused.has(name),
  );
  return {
    model: endpoint.model,
    messages: messagesOf(request),
    ...(Object.fromEntries(given) as JsonObject),
    ...(request.structured ? modeFields(mode, request.structured) : {}),
  };
}

/** A recording goes into the last message, beside its text. */
function messagesOf({ messages, audio }: ChatRequest): Json[] {
  return messages.map(({ role, content }, i) => {
    if (audio === undefined || i < messages.length - 1) return { role, content };
    const recording = { type: "input_audio", input_audio: { ...audio } };
    return { role, content: [{ type: "text", text: content }, recording] };
  });
}
