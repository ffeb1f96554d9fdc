import { expect, it } from "vitest";
import type { RunnerReply } from "#shared/contracts/submissions/runner.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { completeOnce } from "../providers/request-once.ts";
import { ReplayClock, replayOf } from "./replay.ts";

const endpoint: Endpoint = {
  baseUrl: "http://10.0.0.5:8000/v1",
  model: "m",
  runner: "lab",
  maxTokensParam: "max_tokens",
};

const event = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta }], ...more })}\n\n`;

/** A stream whose parts arrived at these times (ms). */
function streamed(parts: readonly (readonly [text: string, ms: number])[]): RunnerReply {
  let body = "";
  const marks = parts.map(([text, ms]): [number, number] => {
    body += text;
    return [body.length, ms];
  });
  return {
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body,
    headersMs: 50,
    marks,
    elapsedMs: 900,
    failure: null,
  };
}

async function answerOf(reply: RunnerReply) {
  const clock = new ReplayClock(1_000);
  const write = () => ({ body: { model: "m" }, streams: true });
  const send = async () => replayOf(reply, clock);
  return completeOnce(endpoint, write, 60_000, clock.now, { tunnel: send });
}

it("replayOf() uses the times that the runner measured, not the time of reading", async () => {
  const usage = { usage: { prompt_tokens: 3, completion_tokens: 2 } };
  const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }], ...usage })}\n\ndata: [DONE]\n\n`;
  const reply = streamed([
    [event({ role: "assistant" }), 60],
    [event({ reasoning_content: "hm" }), 200],
    [event({ content: "Hel" }), 400],
    [event({ content: "lo" }), 700],
    [end, 880],
  ]);
  expect(await answerOf(reply)).toMatchObject({
    ok: true,
    value: {
      isStreamed: true,
      answer: {
        output: "Hello",
        firstTokenMs: 200,
        firstByteMs: 400,
        latencyMs: 880,
        outputTokens: 2,
      },
    },
  });
});

it("replayOf() keeps the part before a stream broke, and the cause", async () => {
  const cut = streamed([[event({ content: "Hel" }), 400]]);
  const failure = { class: "timeout", message: "no answer within 900 ms" } as const;
  expect(await answerOf({ ...cut, failure })).toMatchObject({
    ok: false,
    failure: {
      class: "timeout",
      retryable: true,
      message: failure.message,
      received: { output: "Hel" },
    },
  });
});

it.each([
  ["network", true],
  ["blocked", false],
  ["too_large", false],
] as const)("replayOf() reports a failure without a reply: %s", async (kind, retryable) => {
  const failure = { class: kind, message: "it said so" };
  const reply = { ...streamed([]), status: null, failure };
  expect(await answerOf(reply)).toMatchObject({
    ok: false,
    failure: { class: kind, retryable, message: "it said so", httpStatus: null },
  });
});

it("replayOf() reports a truncated reply as too large, not retryable", async () => {
  const body = '{"choices":[{"message":{"content":"Hel';
  const headers = { "content-type": "application/json" };
  const failure = { class: "too_large", message: "it takes more than 25 MB" } as const;
  const reply = { ...streamed([[body, 400]]), headers, failure };
  expect(await answerOf(reply)).toMatchObject({
    ok: false,
    failure: { class: "too_large", retryable: false, message: failure.message },
  });
});

it("replayOf() refuses a redirect, as for a public endpoint", async () => {
  expect(await answerOf({ ...streamed([]), status: 302 })).toMatchObject({
    ok: false,
    failure: { class: "redirect", httpStatus: 302 },
  });
});
