import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { describe, expect, it } from "vitest";
import { ENDPOINT_WAIT_MAX_MS } from "../platform/backoff.ts";
import { failureOf, isUnknownHost, retryAfterOf } from "./failure.ts";
import { BodyTooLargeError, RedirectError, StalledError } from "./guarded-fetch.ts";

const now = Date.parse("2026-11-20T10:00:00Z");
const failed = (error: unknown) => failureOf(error, now, (text) => text);
const answered = (status: number, message = "no", headers: Record<string, string> = {}) =>
  APIError.generate(status, { error: { message, param: "seed" } }, undefined, new Headers(headers));

describe("failureOf()", () => {
  it.each<[status: number, kind: string, retryable: boolean]>([
    [400, "bad_request", false],
    [401, "unauthorized", false],
    [403, "unauthorized", false],
    [404, "not_found", false],
    [408, "timeout", true],
    [409, "timeout", true],
    [413, "too_large", false],
    [422, "bad_request", false],
    [402, "rate_limited", false],
    [429, "rate_limited", true],
    [500, "server_error", true],
    [529, "server_error", true],
  ])("classifies status %i as %s", (httpStatus, kind, retryable) => {
    expect(failed(answered(httpStatus))).toMatchObject({ class: kind, retryable, httpStatus });
  });

  it.each<[name: string, error: unknown, kind: string, retryable: boolean, status?: number]>([
    ["a redirect", new RedirectError(302), "redirect", false, 302],
    ["a large body", new BodyTooLargeError(), "too_large", false],
    ["a stream that stalls", new StalledError("silent"), "timeout", true, 200],
    ["a large body behind a lost connection", because(new BodyTooLargeError()), "too_large", false],
    ["no answer in time", new APIConnectionTimeoutError(), "timeout", true],
    ["an aborted request", new DOMException("x", "AbortError"), "timeout", true],
    ["a lost connection", new APIConnectionError({ message: "reset" }), "network", true],
    ["a body that is not JSON", new SyntaxError("Unexpected token"), "invalid_response", true],
    ["a truncated body", new TypeError("terminated"), "network", true],
    ["a thrown value that is not an error", "oops", "network", true],
  ])("classifies %s", (_, error, kind, retryable, status) => {
    const httpStatus = status ?? null;
    expect(failed(error)).toMatchObject({ class: kind, retryable, httpStatus });
  });

  it.each<[name: string, error: unknown]>([
    ["workerd's DNS message", new APIConnectionError({ cause: new Error("DNS lookup failed.") })],
    [
      "workerd's internal error",
      new APIConnectionError({ cause: new Error("internal error; reference = sqrrcgssuehq") }),
    ],
    [
      "Node's message",
      new APIConnectionError({ cause: new Error("getaddrinfo ENOTFOUND x.example") }),
    ],
    ["Cloudflare's page", answered(530, "error code: 1016")],
  ])("recognizes an unknown host by %s", (_, error) => {
    const failure = failed(error);
    expect([failure.class, failure.retryable, isUnknownHost(failure)]).toEqual([
      "network",
      true,
      true,
    ]);
    expect(isUnknownHost(failed(new APIConnectionError({ message: "reset" })))).toBe(false);
  });

  it.each<[header: string, ms: number | null]>([
    ["7", 7_000],
    ["0.5", 500],
    ["-3", 0],
    ["Fri, 20 Nov 2026 10:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 09:00:00 GMT", 0],
    ["soon", null],
  ])("reads the retry-after %j", (header, ms) => {
    expect(failed(answered(429, "slow down", { "retry-after": header })).retryAfterMs).toBe(ms);
    expect(failed(answered(503, "away", { "retry-after": header })).retryAfterMs).toBe(ms);
  });

  it.each<[name: string, status: number, error: object, kind: string, retryable: boolean]>([
    [
      "a retired model that Groq answers with 400",
      400,
      { message: "The model `m` has been decommissioned", code: "model_decommissioned" },
      "not_found",
      false,
    ],
    [
      "an unknown model that Mistral answers with 400",
      400,
      { message: "Invalid model: m", type: "invalid_model", code: "1500" },
      "not_found",
      false,
    ],
    [
      "an unknown model that OpenRouter answers with 400",
      400,
      { message: "acme/m is not a valid model ID", code: 400 },
      "not_found",
      false,
    ],
    [
      "a wrong key that Google answers with 400",
      400,
      { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID" },
      "unauthorized",
      false,
    ],
    [
      "a wrong key that xAI answers with 400",
      400,
      { message: "Incorrect API key provided: xa***ng. You can obtain one from the console." },
      "unauthorized",
      false,
    ],
    ["another 400", 400, { message: "seed is not supported with this key" }, "bad_request", false],
    [
      "a spent budget",
      429,
      { message: "You exceeded your current quota", code: "insufficient_quota" },
      "rate_limited",
      false,
    ],
    [
      "spent credits that Anthropic answers with 400",
      400,
      { message: "Your credit balance is too low to access the Anthropic API." },
      "rate_limited",
      false,
    ],
    [
      "a request above the limit of tokens per minute",
      429,
      {
        message: "Request too large for m on tokens per min (TPM): Limit 30000, Requested 34245.",
        code: "rate_limit_exceeded",
      },
      "too_large",
      false,
    ],
  ])("classifies %s by its message or code", (_, status, error, kind, retryable) => {
    const thrown = APIError.generate(status, { error }, undefined, new Headers());
    expect(failed(thrown)).toMatchObject({ class: kind, retryable, httpStatus: status });
  });

  it.each([
    [{ code: 503, message: "busy" }, "server_error"],
    [{ code: 429, message: "slow down" }, "rate_limited"],
    [{ code: 402, message: "Insufficient credits" }, "rate_limited"],
    [{ code: "tool_use_failed", message: "no call", status_code: 400 }, "bad_request"],
    [{ code: "internal", message: "oops" }, "server_error"],
  ])("classifies an error in a reply of status 200 by its code: %j", (error, kind) => {
    expect(failed(new APIError(undefined, error, undefined, new Headers())).class).toBe(kind);
  });

  it("reads Google's retry delay from the body if no header has one", () => {
    const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "48.5s" };
    const error = { code: 429, message: "quota", details: [{ links: [] }, info] };
    const delayOf = (headers: Record<string, string>, body: object = error) =>
      failed(APIError.generate(429, { error: body }, undefined, new Headers(headers))).retryAfterMs;
    expect(delayOf({})).toBe(48_500);
    expect(delayOf({ "retry-after": "7" })).toBe(7_000);
    expect(delayOf({}, { ...error, details: "soon" })).toBeNull();
  });

  it("names the rejected field of a bad request, but of no other failure", () => {
    expect(failed(answered(400)).param).toBe("seed");
    expect(failed(answered(429)).param).toBeNull();
  });

  it("redacts before it truncates, so that no part of a secret remains", () => {
    const message = `${"x".repeat(480)}sk-a-long-secret-key and more`;
    const redact = (text: string) => text.replaceAll("sk-a-long-secret-key", "[redacted]");
    const { message: kept } = failureOf(answered(400, message), now, redact);
    expect(kept).toMatch(/…$/);
    expect(kept).not.toContain("sk-a");
    expect(kept.length).toBeLessThanOrEqual(501);
  });
});

function because(cause: Error): Error {
  return new APIConnectionError({ message: "Connection error.", cause });
}

const at = Date.parse("2026-11-20T10:00:00Z");

it.each([
  [null, null],
  ["", null],
  [" ", null],
  ["soon", null],
  ["NaN", null],
  ["Infinity", null],
  ["1e20", null],
  ["0x10", null],
  ["2", 2_000],
  [" 1.5 ", 1_500],
  ["0", 0],
  ["3600", ENDPOINT_WAIT_MAX_MS],
  ["3601", ENDPOINT_WAIT_MAX_MS],
  ["99999999999", ENDPOINT_WAIT_MAX_MS],
  ["9".repeat(400), ENDPOINT_WAIT_MAX_MS],
  ["Fri, 20 Nov 2026 10:01:00 GMT", 60_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", ENDPOINT_WAIT_MAX_MS],
  ["Sat, 13 Sep 275760 00:00:00 GMT", ENDPOINT_WAIT_MAX_MS],
])("retryAfterOf(%j) is %j", (header, waitMs) => {
  expect(retryAfterOf(header, at)).toBe(waitMs);
});

it("retryAfterOf() never waits for a negative number", () => {
  expect(retryAfterOf("-5", at) ?? 0).toBe(0);
});
