import { describe, expect, it } from "vitest";
import { readCompletion } from "#shared/protocols/read-completion.ts";
import type { Answerer, AskedLine } from "./asked-line.ts";
import { startRelay } from "./relay.ts";
import { TargetFailure } from "./target-failure.ts";

const token = "t0ken";

async function aRelay(answer: Answerer["ask"], timeoutMs = 5_000) {
  const relay = await startRelay(
    new Map([["abc", { ask: answer }]]),
    { port: 0, token },
    timeoutMs,
  );
  const post = async (body: object, { path = "/abc/v1/chat/completions", key = token } = {}) => {
    const response = await fetch(`http://127.0.0.1:${relay.port}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as { error?: { message: string } };
    return {
      status: response.status,
      headers: response.headers,
      json,
      message: json.error?.message,
    };
  };
  return { ...relay, post, [Symbol.asyncDispose]: relay.close };
}

const answering =
  (answer: object): Answerer["ask"] =>
  async () => ({
    answer: answer as never,
    workedMs: 12.9,
  });

describe("startRelay()", () => {
  it("converts a request to a line and the answer to a chat completion", async () => {
    const lines: AskedLine[] = [];
    await using relay = await aRelay(async (line, signal) => {
      lines.push(line);
      return answering({
        content: { a: 1 },
        tool_calls: [
          { name: "f", arguments: { x: "é" } },
          { function: { name: "g", arguments: "{}" } },
        ],
        thoughts: "hm",
        model: "inner",
        usage: { input_tokens: 3, output_tokens: 2, reasoning_tokens: 1 },
      })(line, signal);
    });
    const messages = [{ role: "user", content: "Hi" }];
    const schema = { type: "object" };
    const { status, json, headers } = await relay.post({
      model: "m",
      messages,
      tools: [{ type: "function" }],
      response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: false } },
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      sample: { id: "s1", repeat: 1, input: "text" },
    });
    expect(lines).toEqual([
      {
        sample: "s1",
        repeat: 1,
        model: "m",
        messages,
        tools: [{ type: "function" }],
        schema,
        input: "text",
        parameters: { temperature: 0 },
      },
    ]);
    expect([status, headers.get("openai-processing-ms")]).toEqual([200, "12"]);
    expect(readCompletion(json, null)).toMatchObject({
      output: '{"a":1}',
      toolCalls: [
        { name: "f", arguments: { x: "é" } },
        { name: "g", arguments: {} },
      ],
      thoughts: "hm",
      servedModel: "inner",
      finishReason: "tool_calls",
      inputTokens: 3,
      outputTokens: 2,
      reasoningTokens: 1,
    });
  });

  it.each([
    [{ error: "no quota" }, 500, "no quota"],
    [{ error: { code: 5 } }, 500, '{"code":5}'],
    [
      { answer: "a" },
      502,
      'the answer has neither text (or content), tool_calls, refusal nor error: "{\\"answer\\":\\"a\\"}"',
    ],
    [
      { text: "a", usage: { input_tokens: -1 } },
      502,
      "the answer is malformed: /usage/input_tokens must be at least 0, not -1",
    ],
  ])("answers %j with %i", async (answer, status, message) => {
    await using relay = await aRelay(answering(answer));
    expect(await relay.post({})).toMatchObject({ status, message });
  });

  it("answers only callers with the token, and known programs", async () => {
    await using relay = await aRelay(answering({ text: "a" }));
    expect(await relay.post({}, { key: "t0kem" })).toMatchObject({ status: 401 });
    expect(await relay.post({}, { path: "/abd/v1/chat/completions" })).toMatchObject({
      status: 404,
    });
  });

  it("times out before the service, and postpones open requests with 503", async () => {
    const waiting: Answerer["ask"] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    await using slow = await aRelay(waiting, 200);
    expect(await slow.post({})).toMatchObject({
      status: 408,
      message: expect.stringMatching(/^did not answer within 180 ms/),
    });
    await using left = await aRelay(waiting);
    const open = left.post({});
    await new Promise((resolve) => setTimeout(resolve, 50));
    left.postpone();
    const { status, headers } = await open;
    expect([status, headers.get("retry-after")]).toEqual([503, "15"]);
  });

  it("passes on status, message and retry-after of a failure", async () => {
    await using relay = await aRelay(async () => {
      throw new TargetFailure(429, "busy", "3");
    });
    const { status, headers, message } = await relay.post({});
    expect([status, headers.get("retry-after"), message]).toEqual([429, "3", "busy"]);
  });
});
