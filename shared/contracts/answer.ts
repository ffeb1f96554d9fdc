import { z } from "zod";
import { bounds, cutText } from "./bounds.ts";
import { findingSchema, judgmentRecordSchema } from "./judging/judgment.ts";
import { printableName } from "./text/well-formed.ts";

/** Modes of requesting structured output; `auto` tries one after the other until the endpoint accepts one. */
export const structuredModes = [
  "json_schema_strict",
  "json_schema",
  "structured_outputs",
  "guided_json",
  "json_object",
  "none",
] as const;
export type StructuredMode = (typeof structuredModes)[number];

/**
 * Why a request finally failed. `rate_limited`, `server_error`, `timeout` and `network` are recorded after retries;
 * the others are not retried. `not_submitted`: the submitted answers contain none for this sample. `blocked`: the
 * service does not call this endpoint, so nothing was sent. `no_runner`: the runner that calls it stayed away.
 */
export const errorClasses = [
  "rate_limited",
  "server_error",
  "timeout",
  "network",
  "bad_request",
  "unauthorized",
  "not_found",
  "redirect",
  "blocked",
  "no_runner",
  "too_large",
  "invalid_response",
  "missing_answer",
  "not_submitted",
  "lost",
] as const;
export type ErrorClass = (typeof errorClasses)[number];

const toolCallSchema = z.object({
  name: z.string(),
  arguments: z.unknown().meta({ description: "parsed arguments, or the text if it is not JSON" }),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** One request of a conversation: the model's text and tool calls, its latency and tokens. */
const turnStepSchema = z.object({
  output: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  latencyMs: z.number().nonnegative().nullable(),
  inputTokens: z.int().nonnegative().nullable(),
  outputTokens: z.int().nonnegative().nullable(),
  cachedTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
});
export type TurnStep = z.infer<typeof turnStepSchema>;

const errorSchema = z
  .object({
    class: z.enum(errorClasses),
    message: z.string(),
    received: z.string().optional().meta({
      description: "text received before the stream broke, calls as JSON; never scored",
    }),
  })
  .nullable();

/** Thoughts that the endpoint returned separately. */
const thoughtsSchema = z.string().optional().meta({
  description:
    "thoughts of the model, as sent separately by the endpoint; missing if there were none",
});

const hybridSideSchema = z.object({
  output: z.string().nullable(),
  thoughts: thoughtsSchema,
  refusal: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  /** For a failed local call: duration of its last attempt. */
  latencyMs: z.number().nonnegative().nullable(),
  confidence: z.number().nullable(),
  error: errorSchema,
});
export type HybridSide = z.infer<typeof hybridSideSchema>;

/**
 * A model's answer to one sample, wherever it was made. Times are in milliseconds. Token counts are from the
 * endpoint's `usage`, null if it gave none (never estimated).
 */
export const answerSchema = z.object({
  output: z.string().nullable().meta({
    description: "the whole content, unchanged, including thoughts that the model wrote into it",
  }),
  thoughts: thoughtsSchema,
  refusal: z.string().nullable(),
  toolCalls: z.array(toolCallSchema).nullable(),
  turns: z.array(z.array(turnStepSchema)).optional().meta({
    description:
      "for a conversation of several turns: by turn, each request with its answer; the last text is also the output",
  }),
  finishReason: z.string().nullable(),
  /** From sending to the last byte of the successful attempt. */
  latencyMs: z.number().nonnegative().nullable(),
  /** From sending to the first text or tool call of a stream, or to the headers of a whole reply. */
  firstByteMs: z.number().nonnegative().nullable(),
  firstTokenMs: z.number().nonnegative().optional().meta({
    description: "time to the first part of the stream, thought or answer",
  }),
  networkMs: z.number().nonnegative().optional().meta({
    description: "latency minus the processing time that the endpoint reports",
  }),
  inputTokens: z.int().nonnegative().nullable(),
  outputTokens: z.int().nonnegative().nullable(),
  reasoningTokens: z.int().nonnegative().nullish().meta({
    description: "output tokens that are thoughts; missing if the endpoint does not count them",
  }),
  thoughtsHidden: z.literal(true).optional().meta({
    description: "the endpoint reports thoughts, but does not return them",
  }),
  cachedTokens: z.int().nonnegative().nullish().meta({
    description: "input tokens read from a cache; missing if the endpoint does not count them",
  }),
  audioTokens: z.int().positive().optional().meta({ description: "input tokens of a recording" }),
  /** exp(mean logprob of the content); null without logprobs. */
  confidence: z.number().nullable(),
  /** Requests that the suite made for this answer; 0 for submitted answers. */
  requests: z.int().nonnegative(),
  /** HTTP calls for these requests, including retries. */
  attempts: z.int().nonnegative(),
  /** HTTP calls that repeated one after a transient failure. */
  retries: z.int().nonnegative(),
  /** From the run's start to the first call. */
  queueWaitMs: z.number().nonnegative().nullable(),
  /** From the first call to the call that was answered: failed calls and the waits between them. */
  retryWaitMs: z.number().nonnegative().nullable(),
  batch: z.literal(true).optional().meta({
    description: "answered in a batch of the provider, at half the price: it has no latency",
  }),
  reused: z.literal(true).optional().meta({
    description:
      "a stored answer to the same request, also in part: it has no latency, and the tokens of the stored answer",
  }),
  httpStatus: z.int().nullable(),
  structuredMode: z.enum(structuredModes).nullable(),
  /** Source of the answer, as reported by the endpoint (header `x-inference-source`). */
  source: z.string().nullable(),
  servedModel: z.string().optional().meta({
    description:
      "model name in the endpoint's response, possibly with a date; characters not allowed in names are replaced by U+FFFD",
  }),
  /** Null if there is an answer. */
  error: errorSchema,
  hybrid: z
    .object({ local: hybridSideSchema, cloud: hybridSideSchema.nullable() })
    .optional()
    .meta({ description: "for a hybrid target: the answer of each endpoint that was called" }),
  stages: z.record(z.string(), findingSchema).optional().meta({
    description: "results of the stages before the model was called",
  }),
  rated: z.literal(true).optional().meta({
    description: "submitted as the answer to which the dataset's `human` ratings belong",
  }),
  judgments: z.record(z.string(), z.array(judgmentRecordSchema)).optional().meta({
    description: "judgments of the answer by metric; missing if no judge was called",
  }),
});
export type Answer = z.infer<typeof answerSchema>;

/** An answer with every field empty, as a base for object spread. */
export const emptyAnswer: Answer = {
  output: null,
  refusal: null,
  toolCalls: null,
  finishReason: null,
  latencyMs: null,
  firstByteMs: null,
  inputTokens: null,
  outputTokens: null,
  confidence: null,
  requests: 0,
  attempts: 0,
  retries: 0,
  queueWaitMs: null,
  retryWaitMs: null,
  httpStatus: null,
  structuredMode: null,
  source: null,
  error: null,
};

/**
 * A model's confidence in its answer: exp of the mean logprob of its tokens, 0–1. Null without tokens. Linear.
 * @example meanConfidence([-0.1, -0.3]) // 0.819
 */
export function meanConfidence(logprobs: readonly number[] | null | undefined): number | null {
  if (!logprobs || logprobs.length === 0) return null;
  return Math.exp(logprobs.reduce((sum, logprob) => sum + logprob, 0) / logprobs.length);
}

/** An answer without its content and judgments. */
export type Call = Omit<
  Answer,
  | ("output" | "thoughts" | "refusal" | "toolCalls" | "turns")
  | ("hybrid" | "stages" | "rated" | "judgments")
> & {
  /** Whether the model thought, by its text or by the endpoint's token count; missing if it did not. */
  hasThoughts?: true;
};

/** Maximum number of tool calls in one answer: more than any sample expects. Submissions have the same limit. */
export const mostToolCalls = 1_000;

/**
 * Limits the size of an endpoint's answer. Longer strings are cut and end in "…": names at 200 characters, error
 * messages at `bounds.message`. Texts of the answer itself are not cut. The model's name is cleaned by `namedModel`.
 * If there are more than `mostToolCalls` calls, the last is replaced by one whose name counts the rest.
 * @example boundedAnswer({ ...emptyAnswer, source: "x".repeat(300) }).source?.length // 200
 */
export function boundedAnswer(answer: Answer): Answer {
  const { error, toolCalls, servedModel } = answer;
  const entries = Object.entries(answer).flatMap(([name, value]) => {
    if (name === "servedModel") return Object.entries(namedModel(servedModel));
    if (typeof value !== "string" || said.has(name)) return [[name, value]];
    return [[name, counted.has(name) ? null : cutText(value, bounds.name)]];
  });
  return {
    ...(Object.fromEntries(entries) as Answer),
    error: error && boundedError(error),
    toolCalls: toolCalls && boundedCalls(toolCalls),
  };
}

/**
 * The model's name from an endpoint, cut to the maximum length, without characters that could mislead readers. A name
 * without visible characters counts as no name.
 * @example namedModel("other\u202egnp") // { servedModel: "other\ufffdgnp" }
 * @example namedModel(null) // {}
 */
export function namedModel(given: string | null | undefined): Pick<Answer, "servedModel"> {
  const servedModel = printableName(cutText(given ?? "", bounds.servedModel));
  return servedModel === "" ? {} : { servedModel };
}

const boundedError = ({ received, ...error }: NonNullable<Answer["error"]>) => ({
  ...error,
  message: cutText(error.message, bounds.message),
  ...(received !== undefined && { received: cutText(received, bounds.received) }),
});

/** Fields of an answer that contain the model's text. */
const said: ReadonlySet<string> = new Set<keyof Answer>(["output", "thoughts", "refusal"]);
/** Numbers reported by the endpoint. A string in such a field is a redacted secret and becomes null. */
const counted: ReadonlySet<string> = new Set<keyof Answer>([
  "inputTokens",
  "outputTokens",
  "reasoningTokens",
  "cachedTokens",
  "audioTokens",
  "confidence",
]);

function boundedCalls(calls: readonly ToolCall[]): ToolCall[] {
  const kept = calls.slice(0, mostToolCalls).map(({ name, arguments: its }) => ({
    name: cutText(name, bounds.name),
    arguments: its,
  }));
  const left = calls.length - mostToolCalls + 1;
  if (left > 1) kept[mostToolCalls - 1] = { name: `… ${left} more calls`, arguments: {} };
  return kept;
}
