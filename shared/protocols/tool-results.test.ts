import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../contracts/chat-request.ts";
import { chatCompletions } from "./chat-completions.ts";
import { generateContent } from "./generate-content.ts";
import { messages as anthropic } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import { responses } from "./responses.ts";

const called = (n: number) => ({ id: `call0000${n}`, name: "ping", arguments: { n } });
const result = (n: number): ChatMessage => ({
  role: "tool",
  content: `pong ${n}`,
  result: { id: `call0000${n}`, name: "ping" },
});
const conversation: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Ping twice, then once." },
  { role: "assistant", content: "", thoughts: "Twice.", calls: [called(1), called(2)] },
  result(1),
  result(2),
  { role: "assistant", content: "Once more.", calls: [called(3)] },
  result(3),
  { role: "assistant", content: "Done." },
  { role: "user", content: "Thanks." },
];

const written = (protocol: Protocol, baseUrl = "http://127.0.0.1:8790/v1") =>
  protocol.body({
    endpoint: { baseUrl, model: "m", maxTokensParam: "max_tokens" },
    request: { messages: conversation },
    mode: "none",
    refused: new Set(),
    streams: false,
  });

describe("tool calls and their results in a request", () => {
  it("are messages with the role tool in Chat Completions; DeepSeek also gets the thoughts before the calls", () => {
    const call = (n: number) => ({
      id: `call0000${n}`,
      type: "function",
      function: { name: "ping", arguments: `{"n":${n}}` },
    });
    const { messages } = written(chatCompletions) as { messages: object[] };
    expect(messages.slice(2, 7)).toEqual([
      { role: "assistant", content: null, tool_calls: [call(1), call(2)] },
      { role: "tool", tool_call_id: "call00001", content: "pong 1" },
      { role: "tool", tool_call_id: "call00002", content: "pong 2" },
      { role: "assistant", content: "Once more.", tool_calls: [call(3)] },
      { role: "tool", tool_call_id: "call00003", content: "pong 3" },
    ]);
    expect(JSON.stringify(written(chatCompletions, "https://api.deepseek.com"))).toContain(
      '"reasoning_content":"Twice."',
    );
  });

  it("are items in Responses", () => {
    const { input } = written(responses) as { input: object[] };
    const call = (n: number) => ({
      type: "function_call",
      call_id: `call0000${n}`,
      name: "ping",
      arguments: `{"n":${n}}`,
    });
    const output = (n: number) => ({
      type: "function_call_output",
      call_id: `call0000${n}`,
      output: `pong ${n}`,
    });
    expect(input.slice(2, 9)).toEqual([
      call(1),
      call(2),
      output(1),
      output(2),
      { role: "assistant", content: "Once more." },
      call(3),
      output(3),
    ]);
  });

  it("are blocks in Anthropic's Messages, with all results of an answer in one message", () => {
    const use = (n: number) => ({
      type: "tool_use",
      id: `call0000${n}`,
      name: "ping",
      input: { n },
    });
    const block = (n: number) => ({
      type: "tool_result",
      tool_use_id: `call0000${n}`,
      content: `pong ${n}`,
    });
    expect((written(anthropic) as { messages: object[] }).messages.slice(1)).toEqual([
      { role: "assistant", content: [use(1), use(2)] },
      { role: "user", content: [block(1), block(2)] },
      { role: "assistant", content: [{ type: "text", text: "Once more." }, use(3)] },
      { role: "user", content: [block(3)] },
      { role: "assistant", content: "Done." },
      { role: "user", content: "Thanks." },
    ]);
  });

  it("are parts in Gemini's contents; the first call of an answer has a signature", () => {
    const call = (n: number) => ({ functionCall: { name: "ping", args: { n } } });
    const signed = { thoughtSignature: "skip_thought_signature_validator" };
    const response = (n: number) => ({
      functionResponse: { name: "ping", response: { result: `pong ${n}` } },
    });
    expect((written(generateContent) as { contents: object[] }).contents.slice(1, 5)).toEqual([
      { role: "model", parts: [{ ...call(1), ...signed }, call(2)] },
      { role: "user", parts: [response(1), response(2)] },
      { role: "model", parts: [{ text: "Once more." }, { ...call(3), ...signed }] },
      { role: "user", parts: [response(3)] },
    ]);
  });
});
