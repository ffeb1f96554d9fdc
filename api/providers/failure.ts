import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import type { Answer, ErrorClass } from "#shared/contracts/answer.ts";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import type { Redact } from "#shared/protocols/redact.ts";
import { ReportedError, TooLargeError, UnwritableError } from "#shared/protocols/reply-errors.ts";
import { ENDPOINT_WAIT_MAX_MS } from "../platform/backoff.ts";
import { RedirectError, StalledError } from "./guarded-fetch.ts";
import { BrokenStreamError } from "./read-stream.ts";

/** Why a request failed, whether a retry may help, and what the endpoint asked for. */
export interface Failure {
  class: ErrorClass;
  retryable: boolean;
  httpStatus: number | null;
  /** Delay that the endpoint asked for, ms. */
  retryAfterMs: number | null;
  message: string;
  /** The field that an OpenAI-style error names. */
  param: string | null;
  /** Part of the answer received before the stream broke. */
  received?: PartAnswer;
}

/** A failure reported by a runner, which sent the request for the service. */
export class ReportedFailure extends Error {
  readonly #kind: ErrorClass;
  constructor(kind: ErrorClass, message: string) {
    super(message);
    this.#kind = kind;
  }
  failure(redact: Redact): Failure {
    const its = this.#kind === "timeout" || this.#kind === "network" ? transient : final;
    return its(this.#kind, clipped(redact(this.message)), null);
  }
}

export type PartAnswer = Pick<Answer, "output" | "thoughts" | "toolCalls">;

/**
 * Classifies whatever a request threw; nothing else does. The endpoint's message is redacted before it is truncated, so
 * that no part of a secret remains.
 */
export function failureOf(error: unknown, now: number, redact: Redact): Failure {
  const guarded = causeOf(error);
  if (guarded instanceof RedirectError) return final("redirect", guarded.message, guarded.status);
  if (guarded instanceof ReportedFailure) return guarded.failure(redact);
  if (guarded instanceof StalledError) return transient("timeout", guarded.message, 200);
  if (guarded instanceof BrokenStreamError) {
    return { ...transient("invalid_response", guarded.message, 200), param: "stream" };
  }
  if (guarded instanceof TooLargeError) return final("too_large", guarded.message, null);
  if (error instanceof UnwritableError) return final("bad_request", error.message, null);
  if (error instanceof ReportedError) {
    return fromStatus(new APIError(undefined, error.details, undefined, undefined), now, redact);
  }
  // Only the timeout aborts a call.
  const isOverdue =
    error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError;
  if (isOverdue) return transient("timeout", "no answer in time");
  if (error instanceof APIConnectionError) return transient("network", networkText(guarded));
  if (error instanceof APIError) return fromStatus(error, now, redact);
  if (error instanceof DOMException && /Abort|Timeout/.test(error.name)) {
    return transient("timeout", "no answer in time");
  }
  if (error instanceof SyntaxError) return transient("invalid_response", "the body is not JSON");
  return transient("network", "the connection was cut");
}

const filters = new Set(["content_filter", "content_policy_violation", "data_inspection_failed"]);
const filterWords = /\b(Content Exists Risk|violates usage guidelines)\b/;

/**
 * Whether the provider's filter stopped a prompt. Azure and Alibaba report it by a code, OpenRouter by its moderation
 * result, DeepSeek (400) and xAI (403) only in the message.
 */
export function isFiltered(error: unknown): error is APIError {
  if (!(error instanceof APIError) || ![400, 403].includes(error.status ?? 0)) return false;
  return (
    [error.code, error.type].some((name) => filters.has(name ?? "")) ||
    Array.isArray(fieldsOf(fieldsOf(error.error)["metadata"])["reasons"]) ||
    filterWords.test(error.message)
  );
}

const unknownHost = "there is no such host: its name is unknown, or its certificate is not trusted";

/**
 * Error messages for a name that does not resolve. workerd calls this, and an untrusted certificate, an internal error.
 */
const unresolved = /DNS|ENOTFOUND|getaddrinfo|name not resolved|^Error: internal error/i;

/** Whether a request failed because the endpoint's host name does not exist. */
export const isUnknownHost = ({ class: kind, message }: { class: ErrorClass; message: string }) =>
  kind === "network" && message === unknownHost;

const networkText = (cause: unknown): string =>
  unresolved.test(`${cause}`) ? unknownHost : "the connection failed";

/** Cloudflare answers 530 for a host whose name has no address (1016). */
function serverFailure(status: number, message: string, retryAfterMs: number | null): Failure {
  if (status === 530 && /\b1016\b/.test(message)) return transient("network", unknownHost);
  return { ...transient("server_error", message, status), retryAfterMs };
}

/** Statuses for too many requests; Groq's flexible service answers 498 without free capacity. */
const busy: ReadonlySet<number> = new Set([429, 498]);

/** Too large for any retry: OpenAI answers 429 to a request above the tokens per minute. */
const isTooLarge = (status: number, message: string): boolean =>
  status === 413 || (status === 429 && message.includes("Request too large"));

function fromStatus(error: APIError, now: number, redact: Redact): Failure {
  const status = error.status ?? statusIn(error);
  const message = clipped(redact(error.message));
  const param = typeof error.param === "string" ? clipped(redact(error.param)) : null;
  const retryAfterMs = delayOf(error, now);
  if (isQuotaSpent(error)) return final("rate_limited", message, status);
  if (isTooLarge(status, message)) return final("too_large", message, status);
  if (busy.has(status)) return { ...transient("rate_limited", message, status), retryAfterMs };
  if (status === 408 || status === 409) return transient("timeout", message, status);
  if (status >= 500) return serverFailure(status, message, retryAfterMs);
  if (status === 401 || status === 403 || (status === 400 && isOfKey(error)))
    return final("unauthorized", message, status);
  // OpenRouter: no provider of the model supports the schema.
  const isUnroutable = message.includes("can handle the requested parameters");
  if ((status === 404 && !isUnroutable) || isUnknownModel(error))
    return final("not_found", message, status);
  return { ...final("bad_request", message, status), param };
}

/**
 * A model that the provider does not have, or no longer has. Some answer 400 instead of 404: OpenAI's Responses
 * (`model_not_found`), Groq (`model_decommissioned`), Mistral (`invalid_model`), OpenRouter and DeepSeek (only in the
 * message).
 */
const isUnknownModel = ({ status, code, type, message }: APIError): boolean =>
  ["model_not_found", "model_decommissioned"].includes(code ?? "") ||
  type === "invalid_model" ||
  (status === 400 && modelWords.test(message));

/** Invalid API key. Some providers, such as Google and xAI, answer 400. */
const isOfKey = ({ message, error }: APIError): boolean =>
  keyWords.test(message) ||
  detailsIn(error).some(({ reason }) => reason === "API_KEY_INVALID") ||
  /(invalid|missing).{0,40}authorization header/i.test(message);

const keyWords =
  /api[ -]?key.{0,40}(invalid|incorrect|not valid|not found|expired|missing)|(invalid|incorrect|missing|expired).{0,40}api[ -]?key/i;

const modelWords =
  /\bmodel\b.{0,60}\b(not found|not exist|does not exist)|not a valid model|\b(unknown|invalid) model\b/i;

/**
 * A spent budget. OpenAI answers 429, others 402; xAI and Anthropic report it only in the message. Waiting does not
 * help.
 */
const isQuotaSpent = (error: APIError): boolean =>
  [error.code, error.type].some((name) => unpaid.has(name ?? "")) ||
  (error.status ?? statusIn(error)) === 402 ||
  ([400, 429].includes(error.status ?? 0) && spentWords.test(error.message));

const unpaid = new Set(["insufficient_quota", "billing_not_active", "billing_error"]);
const spentWords =
  /\b(all available credits|monthly spending limit|credit balance is too low|specified API usage limits)\b/i;

/** Statuses for the names of errors. */
const named: readonly [name: RegExp, status: number][] = [
  [/rate_?limit|resource_exhausted|too_many_requests/i, 429],
  [/overloaded/i, 529],
  [/authentication|invalid_api_key|unauthenticated/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/too_large/i, 413],
  [/invalid_|context_length|bad_request|unsupported_/i, 400],
];

/** The status of an error in a reply that began with 200. Some errors name it; otherwise the server failed. */
function statusIn({ code, type, error }: APIError): number {
  const numbers = [code, fieldsOf(error)["status_code"]].map(Number);
  const status = numbers.find((one) => one >= 400 && one < 600);
  const words = [code, type, fieldsOf(error)["status"]].filter((one) => typeof one === "string");
  return status ?? named.find(([name]) => words.some((word) => name.test(word!)))?.[1] ?? 500;
}

/** The delay that an error asks for, ms. Some providers also send the header with successes, whose streams may fail. */
function delayOf({ status, headers, error }: APIError, now: number): number | null {
  const header = (name: string) => (status === undefined ? null : headers?.get(name)) ?? null;
  // Azure and OpenAI also send the same delay in milliseconds.
  const exactMs = Number(header("retry-after-ms"));
  const exact = exactMs > 0 ? retryAfterOf(`${exactMs / 1000}`, now) : null;
  return exact ?? retryAfterOf(header("retry-after"), now) ?? delayIn(error, now);
}

/** The delay in the body, where Google puts it instead of a header, ms. */
function delayIn(error: unknown, now: number): number | null {
  const delays = detailsIn(error).map((one) => one["retryDelay"]);
  const given = delays.find((one) => typeof one === "string");
  return given === undefined ? null : retryAfterOf(given.replace(/s$/, ""), now);
}

function detailsIn(error: unknown): Record<string, unknown>[] {
  const { details } = fieldsOf(error);
  return Array.isArray(details) ? details.map(fieldsOf) : [];
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? error.cause : error;

const clipped = (text: string) => cutText(text, bounds.message);

const base = { retryAfterMs: null, param: null };

const transient = (kind: ErrorClass, message: string, httpStatus: number | null = null) => ({
  ...base,
  class: kind,
  retryable: true,
  httpStatus,
  message,
});

const final = (kind: ErrorClass, message: string, httpStatus: number | null) => ({
  ...base,
  class: kind,
  retryable: false,
  httpStatus,
  message,
});

/**
 * The delay that a response asks for, ms, at most an hour: seconds or an HTTP date (RFC 9110, 10.2.3). Null if the
 * header is missing or malformed.
 * @example retryAfterOf("2", Date.now()) // 2000
 */
export function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const isSeconds = /^\s*\d+(\.\d*)?\s*$/.test(header);
  const waitMs = isSeconds ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.max(0, Math.min(ENDPOINT_WAIT_MAX_MS, waitMs));
}
