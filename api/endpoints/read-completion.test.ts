import { expect, it } from "vitest";
import { readCompletion } from "./read-completion.ts";

const completion = (message: object, more: object = {}) => ({
  choices: [{ finish_reason: "stop", message, ...more }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
});

it("readCompletion() takes content, finish reason and usage", () => {
  expect(readCompletion(completion({ content: "{}" }), null)).toMatchObject({
    output: "{}",
    finishReason: "stop",
    inputTokens: 7,
    outputTokens: 3,
    source: null,
  });
});

it("readCompletion() parses tool arguments and keeps the text of those that don't parse", () => {
  const call = (text: string) => ({ function: { name: "f", arguments: text } });
  const answer = readCompletion(completion({ tool_calls: [call('{"a":1}'), call("{")] }), null);
  expect(answer?.toolCalls).toEqual([
    { name: "f", arguments: { a: 1 } },
    { name: "f", arguments: "{" },
  ]);
});

it("readCompletion() turns logprobs into a confidence", () => {
  const logprobs = { content: [{ logprob: Math.log(0.5) }, { logprob: Math.log(0.5) }] };
  expect(readCompletion(completion({ content: "x" }, { logprobs }), null)?.confidence).toBeCloseTo(
    0.5,
  );
});

it("readCompletion() prefers the header over the body for the source", () => {
  const body = { ...completion({ content: "x" }), source: "cloud" };
  expect(readCompletion(body, "on-device")?.source).toBe("on-device");
  expect(readCompletion(body, null)?.source).toBe("cloud");
});

it.each([[null], ["<html>"], [{}], [{ choices: null }], [{ choices: [] }], [{ error: {} }]])(
  "readCompletion() gives null for %j",
  (body) => {
    expect(readCompletion(body, null)).toBeNull();
  },
);

it("readCompletion() joins content that comes in parts, without the reasoning among them", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    { type: "text", text: "Walk, " },
    { type: "text", text: "then run." },
  ];
  expect(readCompletion(completion({ content }), null)?.output).toBe("Walk, then run.");
});

it("readCompletion() keeps the name by which the endpoint calls its model", () => {
  const body = { ...completion({ content: "x" }), model: "gpt-4o-2024-11-20" };
  expect(readCompletion(body, null)?.servedModel).toBe("gpt-4o-2024-11-20");
  expect(readCompletion(completion({ content: "x" }), null)).not.toHaveProperty("servedModel");
});
