import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiOrigin, callApi, getJson } from "./api.ts";
import { ApiError, problemSentence } from "./api-error.ts";
import { keepKey } from "./page-access.ts";

const origin = "https://api.example";

beforeEach(() => {
  const { document } = new JSDOM(`<main data-api="${origin}"></main>`).window;
  vi.stubGlobal("document", document);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

/** Replies to each request in turn, the last reply repeatedly; returns the requests. */
function mockReplies(...answers: (() => Response)[]) {
  const asked: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return (answers[asked.length - 1] ?? (answers.at(-1) as () => Response))();
  });
  return asked;
}

const busy = (seconds: string) => () =>
  json({ detail: "too many reads", retryable: true }, 429, { "retry-after": seconds });

it("apiOrigin() reads data-api from the page, and throws without it", () => {
  expect(apiOrigin()).toBe(origin);
  vi.stubGlobal("document", new JSDOM("").window.document);
  expect(() => apiOrigin()).toThrow("no element of this page has data-api");
});

it("callApi() sends key and body only to the API, and returns the time of the next poll", async () => {
  const asked = mockReplies(() => json({ id: "sub_a" }, 202, { "retry-after": "2" }));
  const call = { method: "POST", body: { a: 1 }, key: "k", idempotencyKey: "i" } as const;
  expect(await callApi("/v1/submissions", call)).toEqual({
    status: 202,
    value: { id: "sub_a" },
    retryAfterSeconds: 2,
  });
  expect(asked[0]?.url).toBe(`${origin}/v1/submissions`);
  expect(asked[0]?.init).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    credentials: "omit",
    redirect: "error",
    headers: {
      "content-type": "application/json",
      authorization: "Bearer k",
      "idempotency-key": "i",
    },
  });
});

it("callApi() sends no unnecessary headers with a plain read", async () => {
  const asked = mockReplies(() => json({}));
  await callApi("/v1/suites");
  expect(asked[0]?.init.headers).toEqual({});
});

it("callApi() forgets a rejected key and reads public data without it", async () => {
  vi.stubGlobal("sessionStorage", new JSDOM("", { url: origin }).window.sessionStorage);
  keepKey("expired");
  const refused = json({ detail: "this API key has expired" }, 401);
  const replies = [refused, refused.clone(), json({ id: "run_1" }), json({ id: "run_2" })];
  const asked = mockReplies(() => replies.shift()!);
  await callApi("/v1/account", { bySession: true }).catch(() => {});
  for (const id of ["run_1", "run_2"]) {
    expect((await callApi(`/v1/runs/${id}`)).value).toEqual({ id });
  }
  const key = { authorization: "Bearer expired" };
  expect(asked.map(({ init }) => init.headers)).toEqual([{}, key, {}, {}]);
});

it("callApi() reports the rejected key if nothing is public", async () => {
  vi.stubGlobal("sessionStorage", new JSDOM("", { url: origin }).window.sessionStorage);
  keepKey("expired");
  const replies = [
    json({ detail: "this API key has expired" }, 401),
    json({ detail: "none" }, 404),
  ];
  mockReplies(() => replies.shift()!);
  await expect(callApi("/v1/runs/run_1")).rejects.toThrow("this API key has expired");
});

it("callApi() throws a problem as one sentence with its errors", async () => {
  const errors = [{ pointer: "/suite", detail: "there is no suite" }];
  mockReplies(() => json({ detail: "nothing was stored", retryable: false, errors }, 422));
  const error = (await callApi("/v1/submissions").catch((thrown) => thrown)) as ApiError;
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 422, errors, isRetryable: false });
  expect(error.message).toBe("nothing was stored: there is no suite");
});

it.each([
  [() => new Response("<h1>bad gateway</h1>", { status: 502 }), "the API answered 502"],
  [() => Promise.reject(new TypeError("x")), `the API at ${origin} could not be reached`],
])("callApi() explains a failure without a problem document", async (answer, message) => {
  vi.stubGlobal("fetch", async () => answer());
  await expect(callApi("/v1/suites")).rejects.toThrow(message);
});

it("getJson() waits for a pending result or after too many requests", async () => {
  vi.useFakeTimers();
  const waits: number[] = [];
  mockReplies(
    () => json({ status: "running" }, 202, { "retry-after": "3" }),
    busy("10"),
    () => json({ a: 1 }),
  );
  const got = getJson("/v1/compare?runs=a,b", { onWait: (seconds) => waits.push(seconds) });
  await vi.advanceTimersByTimeAsync(13_000);
  expect(await got).toEqual({ a: 1 });
  expect(waits).toEqual([3, 10]);
});

it("getJson() gives up after minutes with the API's message", async () => {
  vi.useFakeTimers();
  mockReplies(busy("200"));
  const got = expect(getJson("/v1/runs/a")).rejects.toThrow("too many reads");
  await vi.advanceTimersByTimeAsync(200_000);
  await got;
});

it("getJson() stops waiting when it is aborted", async () => {
  vi.useFakeTimers();
  const asked = mockReplies(busy("5"));
  const wanted = new AbortController();
  const got = expect(getJson("/v1/runs/a", { signal: wanted.signal })).rejects.toThrow(/abort/i);
  await vi.advanceTimersByTimeAsync(1_000);
  wanted.abort();
  await vi.advanceTimersByTimeAsync(5_000);
  await got;
  expect(asked).toHaveLength(1);
});

it.each([
  [undefined, "no"],
  [[{ detail: "no" }], "no"],
  [[{ detail: "a" }, { detail: "a" }, { detail: "b" }], "no: a; b"],
  [["a", "b", "c", "d", "e"].map((detail) => ({ detail })), "no: a; b; c; and 2 more"],
])("problemSentence() of errors %j", (errors, sentence) => {
  expect(problemSentence({ detail: "no", ...(errors && { errors }) })).toBe(sentence);
});

it("callApi() solves the challenge of a costly read and repeats it with the proof", async () => {
  const asked = mockReplies(
    () => json({}, 429, { "assay-challenge": "4 token" }),
    () => json({ ok: true }),
  );
  expect((await callApi("/v1/compare?runs=a,b")).value).toEqual({ ok: true });
  expect(asked.map(({ init }) => new Headers(init.headers).get("assay-proof"))).toEqual([
    null,
    expect.stringMatching(/^\d+ token$/),
  ]);
});
