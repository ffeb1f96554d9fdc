import {
  countUsage,
  envelope,
  type FinishedCompletion,
  originOf,
  type ResponseFacts,
  tokenLogprobs,
  toolCalls,
} from "./chat-response.ts";
import { splitTokens } from "./tokens.ts";

/** Characters to a chunk: four tokens, so that a page of text makes some fifty chunks. */
const chunkCharacters = 16;

/** The server-sent events of a streamed answer, in order. */
export function chatStream(completion: FinishedCompletion, facts: ResponseFacts): string[] {
  const base = envelope("chat.completion.chunk", facts);
  const usage = facts.request.includeUsage ? { usage: null } : {};
  const event = (delta: object, finish: string | null = null, logprobs: object | null = null) => {
    const origin = finish === null ? {} : originOf(completion, facts);
    const choices = [{ index: 0, delta, logprobs, finish_reason: finish }];
    return sse({ ...base, choices, ...usage, ...origin });
  };
  const events = [
    event({
      role: "assistant",
      content: completion.toolCalls.length > 0 ? null : "",
      refusal: null,
    }),
    ...contentDeltas(completion, facts).map(({ delta, logprobs }) => event(delta, null, logprobs)),
    ...toolDeltas(completion, facts.key).map((delta) => event(delta)),
    event({}, completion.finishReason),
  ];
  if (facts.request.includeUsage) {
    events.push(sse({ ...base, choices: [], usage: countUsage(completion, facts) }));
  }
  return [...events, "data: [DONE]\n\n"];
}

function sse(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function contentDeltas(completion: FinishedCompletion, { request, draws }: ResponseFacts) {
  if (completion.refusal !== null) {
    return splitTokens(completion.refusal, chunkCharacters).map((refusal) => ({
      delta: { refusal },
      logprobs: null,
    }));
  }
  return splitTokens(completion.content ?? "", chunkCharacters).map((content) => ({
    delta: { content },
    logprobs: request.logprobs ? tokenLogprobs({ ...completion, content }, draws) : null,
  }));
}

/** Each call's name first, then its arguments piece by piece, as OpenAI streams them. */
function toolDeltas(completion: FinishedCompletion, key: string): object[] {
  return toolCalls(completion, key).flatMap((call, index) => [
    { tool_calls: [{ index, ...call, function: { ...call.function, arguments: "" } }] },
    ...splitTokens(call.function.arguments, chunkCharacters).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
}
