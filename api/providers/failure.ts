import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";
import type { ErrorClass } from "#shared/contracts/answer.ts";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { ENDPOINT_WAIT_MAX_MS } from "../platform/backoff.ts";
import type { Redact } from "../security/redact.ts";
import { BodyTooLargeError, RedirectError } from "./guarded-fetch.ts";
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
}

/**
 * Classifies whatever a request threw; nothing else does. The endpoint's message is redacted before it is truncated, so
 * that no part of a secret remains.
 */
export function failureOf(error: unknown, now: number, redact: Redact): Failure {
  const guarded = causeOf(error);
  if (guarded instanceof RedirectError) return final("redirect", guarded.message, guarded.status);
  if (guarded instanceof BrokenStreamError) {
    return { ...transient("invalid_response", guarded.message, 200), param: "stream" };
  }
  if (guarded instanceof BodyTooLargeError) return final("too_large", guarded.message, null);
  // Only the timeout aborts a call.
  const isOverdue =
    error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError;
  if (isOverdue) return transient("timeout", "no answer in time");
  if (error instanceof APIConnectionError) return transient("network", "the connection failed");
  if (error instanceof APIError) return fromStatus(error, now, redact);
  if (error instanceof DOMException && /Abort|Timeout/.test(error.name)) {
    return transient("timeout", "no answer in time");
  }
  if (error instanceof SyntaxError) return transient("invalid_response", "the body is not JSON");
  return transient("network", "the connection was cut");
}

function fromStatus(error: APIError, now: number, redact: Redact): Failure {
  const status = error.status ?? statusIn(error);
  const message = clipped(redact(error.message));
  const param = typeof error.param === "string" ? clipped(redact(error.param)) : null;
  const retryAfterMs = retryAfterOf(error.headers?.get("retry-after") ?? null, now);
  if (status === 429) return { ...transient("rate_limited", message, status), retryAfterMs };
  if (status === 408 || status === 409) return transient("timeout", message, status);
  if (status >= 500) return { ...transient("server_error", message, status), retryAfterMs };
  if (status === 401 || status === 403) return final("unauthorized", message, status);
  if (status === 404) return final("not_found", message, status);
  if (status === 413) return final("too_large", message, status);
  return { ...final("bad_request", message, status), param };
}

/** The status of an error in a stream, which began with 200. Some name it as a code; otherwise the server failed. */
function statusIn({ code }: { code?: unknown }): number {
  const named = Number(code);
  return named >= 400 && named < 600 ? named : 500;
}

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
