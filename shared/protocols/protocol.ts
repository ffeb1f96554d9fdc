import type { Answer, StructuredMode } from "../contracts/answer.ts";
import type { ChatRequest } from "../contracts/chat-request.ts";
import { isJsonObject, type JsonObject } from "../contracts/json.ts";
import type { Effort } from "../contracts/submissions/inference-settings.ts";
import type { Endpoint } from "../contracts/submissions/submission.ts";

/** The parts of a request. */
export interface Asked {
  endpoint: Pick<Endpoint, "baseUrl" | "model" | "maxTokensParam" | "settings">;
  request: ChatRequest;
  mode: StructuredMode;
  /** Top-level fields of the body that the endpoint is known to refuse. */
  refused: ReadonlySet<string>;
  streams: boolean;
}

/** What a chunk of a stream adds to the answer: a part of a text or call, of a thought, or neither. */
export type PartKind = "answer" | "thought" | null;

/** Joins the chunks of a stream to the body that an unstreamed reply has. */
export interface StreamParts {
  /** Throws `TooLargeError`, or a `ReportedError` for a chunk that reports a failure. */
  add(chunk: unknown): PartKind;
  /** Null if the stream ended before the answer did; with `isCut` what came so far. */
  body(isCut?: boolean): unknown;
}

/** An interface of model providers: how a request is written, and how a reply is read. */
export interface Protocol {
  /** Path and query after the base URL. */
  path(model: string, streams: boolean): string;
  /** Headers of every request, and those that carry the key. */
  headers: Readonly<Record<string, string>>;
  keyHeaders(key: string): Record<string, string>;
  /** What a suite may ask for and the interface has no field for. */
  lacks: readonly (keyof ChatRequest)[];
  /** Throws an `UnwritableError`. */
  body(asked: Asked): JsonObject;
  /** Tokens for thoughts that a request's limit has in addition to those of the answer. */
  room(endpoint: Pick<Asked["endpoint"], "baseUrl" | "settings">): number;
  /**
   * The modes that `auto` tries, in this order, until the endpoint accepts the schema. Where a schema is always enforced
   * in one way, the first mode means both.
   */
  ladder: readonly StructuredMode[];
  /**
   * Null if the body is of another kind. Throws a `ReportedError`. `source`: who answered, by a
   * header.
   */
  read(body: unknown, source: string | null): Answer | null;
  parts(): StreamParts;
}

/**
 * The given fields of a body, without those that are undefined or refused.
 * @example givenFields({ seed: 1, top_p: undefined }, new Set()) // { seed: 1 }
 */
export const givenFields = (
  fields: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && !refused.has(name)),
  ) as JsonObject;

/**
 * Tokens that a model may think with at an effort. Assumed: providers state none, and most models stop earlier.
 */
const roomFor: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 2_000,
  low: 8_000,
  medium: 16_000,
  high: 32_000,
  xhigh: 60_000,
  max: 60_000,
};

/**
 * Tokens for thoughts where a provider counts them against the limit of a request: the budget, or those of the effort.
 * @example thoughtRoom({ settings: { reasoningEffort: "low" } }) // 8000
 */
export function thoughtRoom({ settings }: Pick<Asked["endpoint"], "settings">): number {
  const { reasoningEffort: effort = "none", thinkingBudget } = settings ?? {};
  return thinkingBudget ?? roomFor[effort];
}

/** The functions of a request, which Chat Completions wraps as `{type: "function", function}`. */
export const functionsOf = ({ tools }: ChatRequest): JsonObject[] | undefined =>
  tools?.flatMap(({ function: its }) => (isJsonObject(its) ? [its] : []));
