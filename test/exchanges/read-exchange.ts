import { z } from "zod";
import type { Failure } from "../../api/providers/failure.ts";
import { completeOnce } from "../../api/providers/request-once.ts";
import type { Answer } from "../../shared/contracts/answer.ts";
import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import type { ProtocolName } from "../../shared/contracts/submissions/providers.ts";
import { withoutThoughts } from "../../shared/measures/thoughts/without-thoughts.ts";

/** A request to a model provider and its reply, as recorded. */
export const exchangeSchema = z.looseObject({
  provider: z.string(),
  api: z.string(),
  case: z.string(),
  model: z.string().nullish(),
  request: z
    .looseObject({ method: z.string().nullish(), path: z.string().nullish(), body: z.unknown() })
    .nullish(),
  response: z.looseObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).nullish(),
    body: z.unknown().optional(),
    sse: z.string().optional(),
    ndjson: z.string().optional(),
  }),
});
export type Exchange = z.infer<typeof exchangeSchema>;

/** A reply without its request, from a provider's client library: the body or the events of a stream. */
export const fixtureSchema = z.object({
  id: z.string(),
  provider: z.string(),
  body: z.unknown().optional(),
  stream_chunks: z.array(z.string()).optional(),
  stream_raw: z.string().optional(),
});

/**
 * Converts a reply without its request to an exchange, with the provider's interface.
 * @example fixtureExchange({ id: "text.json", provider: "anthropic", body: {} }).api // "messages"
 */
export function fixtureExchange(fixture: z.infer<typeof fixtureSchema>): Exchange {
  const { id, provider, body, stream_chunks: chunks, stream_raw: raw } = fixture;
  const own: Readonly<Record<string, string>> = {
    anthropic: "messages",
    google: "generateContent",
    cohere: isJsonObject(body) && "embeddings" in body ? "embeddings" : "cohere",
  };
  const isFailed = isJsonObject(body) && isJsonObject(body["error"] ?? null);
  const code = isFailed ? (body["error"] as JsonObject)["code"] : null;
  const sse = raw ?? chunks?.map((chunk) => `data: ${chunk}\n\n`).join("");
  return exchangeSchema.parse({
    provider,
    api: own[provider] ?? "chat",
    case: id,
    request: { body: null },
    response: {
      status: isFailed ? (typeof code === "number" ? code : 400) : 200,
      ...(sse === undefined ? { body } : { sse }),
    },
  });
}

/** The service's reading of a reply. */
export interface ReadExchange {
  case: string;
  /**
   * `answered`: with a text or calls. `refused`: by the model or a filter. `empty`: without an answer, such as
   * thoughts that used up the tokens. `failed`: the other fields are the parts received before. `unread`: no answer of a supported interface; see `note`.
   */
  outcome: "answered" | "refused" | "empty" | "failed" | "unread";
  answer: string | null;
  thoughts: string | null;
  calls: { name: string; arguments: unknown }[];
  usage: Record<"input" | "output" | "reasoning" | "cached", number | null>;
  stop: string | null;
  /** The served model, if the reply names it. */
  servedModel: string | null;
  failure: Pick<Failure, "class" | "retryable" | "retryAfterMs"> | null;
  note: string | null;
}

/** The interface of a recording; null if the service does not support it. */
function protocolIn({ api, request }: Exchange): ProtocolName | null {
  const path = request?.path?.split("?")[0] ?? "";
  const kinds: readonly [api: RegExp, path: RegExp, protocol: ProtocolName][] = [
    [/^chat/, /\/chat\/completions$/, "chat_completions"],
    // A background response is fetched later, in the same format.
    [/^responses/, /\/responses(\/resp_\w+)?$/, "responses"],
    [/^messages$/, /\/messages$/, "messages"],
    [/^(stream)?generateContent$/i, /:(stream)?generateContent$/i, "generate_content"],
  ];
  return kinds.find(([name, at]) => name.test(api) || at.test(path))?.[2] ?? null;
}

/** Descriptions of replies of other interfaces. */
const others: readonly [api: RegExp, what: string][] = [
  [/batch/i, "a batch, which the service does not use"],
  [/count_?tokens/i, "a count of tokens"],
  [/^models/, "a list of models"],
  [/embed/i, "embeddings"],
  [/^native|\/api\/(chat|generate)/, "an answer of Ollama's own interface; its /v1 is supported"],
  [/converse/, "an answer of Bedrock's Converse; its /openai/v1 is supported"],
  [/cohere/, "an answer of Cohere's own interface; its /compatibility/v1 is supported"],
];

function noteOn({ api, provider, request }: Exchange): string {
  const path = request?.path ?? "";
  const [, what] = others.find(([kind]) =>
    [api, path, provider].some((text) => kind.test(text)),
  ) ?? [null, `a reply of "${api}"`];
  return `not an answer of a supported interface: ${what}`;
}

/** Reads a recorded reply with the service's own client, as if it had been received from a provider. */
export async function readExchange(exchange: Exchange): Promise<ReadExchange> {
  const spoken = protocolIn(exchange);
  if (spoken === null && exchange.response.status < 400) {
    return { ...rowOf(exchange.case, "unread"), note: noteOn(exchange) };
  }
  // Errors have the same classes in every interface.
  const protocol = spoken ?? "chat_completions";
  const baseUrl = "https://models.example/v1";
  const endpoint = { baseUrl, protocol, model: "m", maxTokensParam: "max_tokens" } as const;
  const sent = { body: {}, streams: exchange.response.sse !== undefined };
  const attempt = await replying(exchange, () =>
    completeOnce(endpoint, () => sent, 10_000, Date.now),
  );
  if (!attempt.ok) {
    const { class: kind, retryable, retryAfterMs, received } = attempt.failure;
    return {
      ...rowOf(exchange.case, "failed"),
      answer: received?.output || null,
      thoughts: received?.thoughts ?? null,
      calls: received?.toolCalls ?? [],
      failure: { class: kind, retryable, retryAfterMs },
    };
  }
  return answeredRow(exchange.case, withoutThoughts(attempt.value.answer));
}

const rowOf = (name: string, outcome: ReadExchange["outcome"]): ReadExchange => ({
  case: name,
  outcome,
  answer: null,
  thoughts: null,
  calls: [],
  usage: { input: null, output: null, reasoning: null, cached: null },
  stop: null,
  servedModel: null,
  failure: null,
  note: null,
});

function answeredRow(name: string, answer: Answer): ReadExchange {
  const { output, toolCalls, refusal, finishReason } = answer;
  const calls = toolCalls ?? [];
  const isSaid = (output ?? "").trim() !== "" || calls.length > 0;
  const isRefused = (refusal ?? "") !== "" || finishReason === "content_filter";
  return {
    case: name,
    outcome: isRefused ? "refused" : isSaid ? "answered" : "empty",
    answer: output,
    thoughts: answer.thoughts ?? null,
    calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })),
    usage: {
      input: answer.inputTokens,
      output: answer.outputTokens,
      reasoning: answer.reasoningTokens ?? null,
      cached: answer.cachedTokens ?? null,
    },
    stop: finishReason,
    servedModel: answer.servedModel ?? null,
    failure: null,
    note: null,
  };
}

/** Runs `act` with a `fetch` that returns the recorded reply. */
async function replying<T>({ response }: Exchange, act: () => Promise<T>): Promise<T> {
  const before = globalThis.fetch;
  const { status, headers, sse, ndjson } = response;
  const text = sse ?? ndjson ?? JSON.stringify(response.body ?? null);
  const usual = { "content-type": sse ? "text/event-stream" : "application/json" };
  globalThis.fetch = async () => new Response(text, { status, headers: { ...usual, ...headers } });
  try {
    return await act();
  } finally {
    globalThis.fetch = before;
  }
}
