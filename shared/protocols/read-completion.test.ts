import { expect, it } from "vitest";
import { readCompletion } from "./read-completion.ts";
import { responses } from "./responses.ts";

const completion = (message: object, more: object = {}) => ({
  choices: [{ finish_reason: "stop", message, ...more }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
});

it("readCompletion() reads content, finish reason and usage", () => {
  expect(readCompletion(completion({ content: "{}" }), null)).toMatchObject({
    output: "{}",
    finishReason: "stop",
    inputTokens: 7,
    outputTokens: 3,
    source: null,
  });
});

it("readCompletion() parses tool arguments, and keeps invalid JSON as text", () => {
  const call = (text: string) => ({ function: { name: "f", arguments: text } });
  const answer = readCompletion(completion({ tool_calls: [call('{"a":1}'), call("{")] }), null);
  expect(answer?.toolCalls).toEqual([
    { name: "f", arguments: { a: 1 } },
    { name: "f", arguments: "{" },
  ]);
});

it("readCompletion() reads an answer that a filter removed as a refusal, with or without a message", () => {
  const stopped = (message?: object) =>
    readCompletion({ choices: [{ message, finish_reason: "content_filter" }] }, null);
  const refusal = "the provider's content filter stopped the answer";
  expect(stopped()).toMatchObject({ output: null, refusal, finishReason: "content_filter" });
  expect(stopped({ content: "" })).toMatchObject({ output: "", refusal });
  expect(stopped({ content: "Once" })).toMatchObject({ output: "Once", refusal: null });
  const tool_calls = [{ function: { name: "f", arguments: "{}" } }];
  expect(stopped({ content: null, tool_calls })).toMatchObject({ refusal: null });
  const cut = { status: "incomplete", incomplete_details: { reason: "content_filter" } };
  expect(responses.read({ ...cut, output: [] }, null)).toMatchObject({ output: null, refusal });
  expect(readCompletion({ choices: [{ index: 0, finish_reason: "stop" }] }, null)).toBeNull();
});

it.each([
  [{ prompt_tokens: 66, completion_tokens: 6, total_tokens: 100 }, [66, 34, 28]],
  [{ prompt_tokens: 66, completion_tokens: 34, total_tokens: 100 }, [66, 34, undefined]],
  [{ prompt_tokens: 66, completion_tokens: 34, total_tokens: 90 }, [66, 34, undefined]],
  [{ completion_tokens: 6, total_tokens: 100 }, [null, 6, undefined]],
  [
    {
      prompt_tokens: 10,
      completion_tokens: 30,
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    [10, 30, 20],
  ],
])("readCompletion() counts hidden thoughts as output: %j", (usage, tokens) => {
  const answer = readCompletion({ ...completion({ content: "x" }), usage }, null);
  const { inputTokens, outputTokens, reasoningTokens } = answer!;
  expect([inputTokens, outputTokens, reasoningTokens]).toEqual(tokens);
});

it("readCompletion() computes the confidence from logprobs", () => {
  const logprobs = { content: [{ logprob: Math.log(0.5) }, { logprob: Math.log(0.5) }] };
  expect(readCompletion(completion({ content: "x" }, { logprobs }), null)?.confidence).toBeCloseTo(
    0.5,
  );
});

it("readCompletion() prefers the source in the header over that in the body", () => {
  const body = { ...completion({ content: "x" }), source: "cloud" };
  expect(readCompletion(body, "on-device")?.source).toBe("on-device");
  expect(readCompletion(body, null)?.source).toBe("cloud");
});

it.each([[null], ["<html>"], [{}], [{ choices: null }], [{ choices: [] }], [{ error: {} }]])(
  "readCompletion(%j) is null",
  (body) => {
    expect(readCompletion(body, null)).toBeNull();
  },
);

it("readCompletion() joins the parts of the content and excludes reasoning parts", () => {
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    { type: "text", text: "Walk, " },
    { type: "text", text: "then run." },
  ];
  expect(readCompletion(completion({ content }), null)?.output).toBe("Walk, then run.");
});

it("readCompletion() keeps the model name from the reply", () => {
  const body = { ...completion({ content: "x" }), model: "gpt-4o-2024-11-20" };
  expect(readCompletion(body, null)?.servedModel).toBe("gpt-4o-2024-11-20");
  expect(readCompletion(completion({ content: "x" }), null)).not.toHaveProperty("servedModel");
});

const text = { type: "text", text: "4" };

it.each([
  ["reasoning_content", { content: "4", reasoning_content: "2 + 2" }],
  ["reasoning", { content: "4", reasoning: "2 + 2" }],
  ["reasoning and its details", { content: "4", reasoning: "2 + 2", reasoning_details: [text] }],
  [
    "reasoning_details",
    {
      content: "4",
      reasoning_details: [
        { type: "reasoning.text", text: "2 " },
        { type: "reasoning.summary", summary: "+ 2" },
        { type: "reasoning.encrypted", data: "opaque" },
      ],
    },
  ],
  ["thinking_blocks", { content: "4", thinking_blocks: [{ type: "thinking", thinking: "2 + 2" }] }],
  ["thinking", { content: "4", thinking: "2 + 2" }],
  [
    "a thinking part of text parts",
    { content: [{ type: "thinking", thinking: [{ type: "text", text: "2 + 2" }] }, text] },
  ],
  [
    "a thinking part of text",
    { content: [{ type: "thinking", thinking: "2 + 2", signature: "s" }, text] },
  ],
  ["a reasoning part", { content: [{ type: "reasoning", text: "2 + 2" }, text] }],
  ["parts that are thoughts", { content: [{ text: "2 + 2", thought: true }, { text: "4" }] }],
])("readCompletion() reads thoughts from %s", (_, message) => {
  const answer = readCompletion(completion(message), null);
  expect(answer).toMatchObject({ output: "4", thoughts: "2 + 2" });
});

it.each([
  [{ content: "4" }],
  [{ content: "4", reasoning_content: "", reasoning: null }],
  [{ content: "4", reasoning: { effort: "low" }, reasoning_details: "none" }],
  [{ content: "4", reasoning_details: [{ type: "reasoning.encrypted", data: "opaque" }] }],
])("readCompletion() finds no thoughts in %j", (message) => {
  expect(readCompletion(completion(message), null)).not.toHaveProperty("thoughts");
});

it("readCompletion() keeps thoughts without content, and does not change content that contains thoughts", () => {
  const alone = completion({ content: null, reasoning_content: "Hm." });
  expect(readCompletion(alone, null)).toMatchObject({ output: null, thoughts: "Hm." });
  const inline = completion({ content: "<think>Hm.</think>4" });
  expect(readCompletion(inline, null)?.output).toBe("<think>Hm.</think>4");
});

it("readCompletion() reads the token count of thoughts if there is one", () => {
  const usage = { prompt_tokens: 7, completion_tokens: 90 };
  const of = (more: object) =>
    readCompletion({ ...completion({ content: "4" }), usage: { ...usage, ...more } }, null);
  expect(of({ completion_tokens_details: { reasoning_tokens: 64 } })?.reasoningTokens).toBe(64);
  expect(of({ reasoning_tokens: 12 })?.reasoningTokens).toBe(12);
  expect(of({ completion_tokens_details: { reasoning_tokens: 0 } })?.reasoningTokens).toBe(0);
  expect(of({ completion_tokens_details: null })).not.toHaveProperty("reasoningTokens");
});
