import type { Answer, StructuredMode } from "../contracts/answer.ts";
import type { ChatRequest } from "../contracts/chat-request.ts";
import { isJsonObject, type JsonObject } from "../contracts/json.ts";
import type { Effort } from "../contracts/submissions/inference-settings.ts";
import type { Endpoint } from "../contracts/submissions/submission.ts";

/** Everything that a request's body depends on. */
export interface Asked {
  endpoint: Pick<Endpoint, "baseUrl" | "model" | "maxTokensParam" | "settings">;
  request: ChatRequest;
  mode: StructuredMode;
  /** Top-level fields of the body that the endpoint is known to refuse. */
  refused: ReadonlySet<string>;
  streams: boolean;
}

/** What a chunk of a stream adds: a part of the answer (text or call), a part of a thought, or nothing. */
export type PartKind = "answer" | "thought" | null;

/** Joins the chunks of a stream into the body of an unstreamed reply. */
export interface StreamParts {
  /** Throws `TooLargeError`, or a `ReportedError` for a chunk that reports a failure. */
  add(chunk: unknown): PartKind;
  /** Null if the stream ended before the answer did; with `isCut`, the part received so far. */
  body(isCut?: boolean): unknown;
}

/** An interface of model providers: writes requests and reads replies. */
export interface Protocol {
  /** Path and query after the base URL. */
  path(model: string, streams: boolean): string;
  /** Headers of every request, and those that carry the key. */
  headers: Readonly<Record<string, string>>;
  keyHeaders(key: string): Record<string, string>;
  /** Parts of a suite's request for which the interface has no field. */
  lacks: readonly (keyof ChatRequest)[];
  /** Throws an `UnwritableError`. */
  body(asked: Asked): JsonObject;
  /** Tokens for thoughts that are added to a request's token limit. */
  room(endpoint: Pick<Asked["endpoint"], "baseUrl" | "settings">): number;
  /**
   * The modes that `auto` tries, in this order, until the endpoint accepts the schema. If the interface has only one way
   * to enforce a schema, the first mode covers both `json_schema_strict` and `json_schema`.
   */
  ladder: readonly StructuredMode[];
  /**
   * Reads a reply; null if the body is not one. Throws a `ReportedError`. `source`: the source of the answer that a
   * header names.
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

/** Tokens that a model may use for thoughts, by effort. Estimates: providers publish none, and most models use fewer. */
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
 * Tokens for thoughts if a provider counts them towards a request's limit: the budget, or the estimate for the effort.
 * @example thoughtRoom({ settings: { reasoningEffort: "low" } }) // 8000
 */
export function thoughtRoom({ settings }: Pick<Asked["endpoint"], "settings">): number {
  const { reasoningEffort: effort = "none", thinkingBudget } = settings ?? {};
  return thinkingBudget ?? roomFor[effort];
}

/** The functions of a request, which Chat Completions wraps as `{type: "function", function}`. */
export const functionsOf = ({ tools }: ChatRequest): JsonObject[] | undefined =>
  tools?.flatMap(({ function: its }) => (isJsonObject(its) ? [its] : []));
