import { describe, expect, it, test } from "vitest";
import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import { pingSample } from "../__fixtures__/ping.ts";
import { defaultOptions } from "../options.ts";
import { scoreTools } from "./score.ts";

const one = pingSample("one", "easy", [1]);
const none = pingSample("none", "medium", []);
const call = (n: unknown, name = "ping") => ({ name, arguments: { n } });

const scoreOf = (
  answer: Partial<Answer>,
  sample = one,
  options: Partial<typeof defaultOptions> = {},
) =>
  scoreTools(sample, { ...emptyAnswer, requests: 1, ...answer }, { ...defaultOptions, ...options });

const score = scoreOf;

describe("scoreTools()", () => {
  it("returns the F1 of the calls for a plain endpoint, independent of time and source", () => {
    const right = { toolCalls: [call(1)] };
    expect(score({ ...right, latencyMs: 9_000 }).score).toBe(1);
    expect(score({ ...right, latencyMs: 1, source: "on-device" }).score).toBe(1);
    expect(score({ toolCalls: [call(2)], latencyMs: 1, source: "on-device" }).score).toBe(0);
  });

  it("weights F1, time and source in a routed run", () => {
    const right = { toolCalls: [call(1)] };
    const score = (answer: Partial<Answer>, sample = one, options = {}) =>
      scoreOf(answer, sample, { routed: true, ...options });
    expect(score(right).score).toBeCloseTo(0.6);
    expect(score({ ...right, latencyMs: 100 }).score).toBeCloseTo(0.6 + 0.15 * 0.8);
    expect(score({ ...right, source: "on-device" }).score).toBeCloseTo(0.85);
    expect(score({ ...right, source: "on-device (retry)" }).score).toBeCloseTo(0.6);
    expect(score(right, one, { source: "on-device" }).score).toBeCloseTo(0.85);
    expect(score({ ...right, source: "cloud" }, one, { source: "on-device" }).score).toBeCloseTo(
      0.6,
    );
  });

  it.each<[string, Partial<Answer>, number, string]>([
    ["an unexpected call", { toolCalls: [call(1)] }, 0, "answered"],
    ["prose in another language", { output: "Das kann ich leider nicht tun." }, 1, "answered"],
    ["an answer without call and text", {}, 1, "silent"],
    ["a refusal", { refusal: "No." }, 1, "refused"],
    ["a failed request", { error: { class: "timeout", message: "" } }, 0, "error"],
    ["an empty truncated text", { output: "", finishReason: "length" }, 0, "silent"],
    ["an empty filtered text", { finishReason: "content_filter" }, 0, "silent"],
    ["a truncated text", { output: "No, I", finishReason: "length" }, 1, "answered"],
  ])("scores %s if no call is right", (_, answer, f1, status) => {
    expect(score(answer, none).detail).toMatchObject({ f1, status, irrelevant: true });
  });

  it("scores a failed request 0 and not covered, with any source", () => {
    const failed = { error: { class: "timeout" as const, message: "" }, latencyMs: 10 };
    expect(score(failed, none, { source: "on-device" })).toMatchObject({
      score: 0,
      covered: false,
      detail: { onDevice: false, slowness: null, predicted: 0 },
    });
  });

  test.each<[string, Partial<Answer>, object]>([
    [
      "arguments that do not parse",
      { toolCalls: [{ name: "ping", arguments: "{" }] },
      { from: "native", valid: 0, judged: 1 },
    ],
    ["arguments that are a list", { toolCalls: [{ name: "ping", arguments: [1] }] }, { valid: 0 }],
    ["no arguments at all", { toolCalls: [{ name: "ping", arguments: undefined }] }, { valid: 0 }],
    ["a tool that is not offered", { toolCalls: [call(1, "pang")] }, { judged: 0, predicted: 1 }],
    ["an empty text", { output: "" }, { from: "none", predicted: 0 }],
    ["100,000 words", { output: "word ".repeat(100_000) }, { from: "none", predicted: 0 }],
  ])("has a defined result for %s", (_, answer, detail) => {
    expect(score(answer)).toMatchObject({ score: 0, covered: true, detail: { f1: 0, ...detail } });
  });

  test.each<[string, string, object]>([
    ["an array", '[{"name": "ping", "arguments": {"n": 1}}]', { f1: 1, from: "content" }],
    ["a single call", '{"name": "ping", "arguments": {"n": 1}}', { f1: 1, from: "content" }],
    ["arguments as text", '[{"name": "ping", "arguments": "{\\"n\\": 1}"}]', { f1: 1 }],
    ["an empty array", "[]", { f1: 0, from: "content", predicted: 0 }],
    [
      "an array after a draft on the same line",
      'Sure: <think>[{"name": "ping", "arguments": {"n": 2}}]?</think> [{"name": "ping", "arguments": {"n": 1}}]',
      { f1: 1, from: "content", predicted: 1 },
    ],
    [
      "a broken array",
      '[{"name": "ping", "arguments": {"n": 1}',
      { from: "unreadable", predicted: 1 },
    ],
    ["100,000 words", "word ".repeat(100_000), { from: "unreadable", predicted: 0 }],
    ["words in Chinese", "我没有合适的工具。", { from: "unreadable", predicted: 0 }],
  ])("reads %s in prompt mode", (_, output, detail) => {
    expect(score({ output }, one, { toolMode: "prompt" }).detail).toMatchObject(detail);
  });

  it("counts an unreadable call as a call if no call is right", () => {
    const output = '[{"name": "ping", "arguments": {"n": ';
    expect(score({ output }, none, { toolMode: "prompt" }).detail.f1).toBe(0);
  });

  it("validates arguments against the schema of their tool", () => {
    const { detail } = score({ toolCalls: [call(1), call("two"), call(3, "pong")] });
    expect(detail).toMatchObject({ judged: 3, valid: 2, matched: 1, predicted: 3 });
    expect(detail.schemaErrors).toEqual([expect.stringContaining("ping: ")]);
  });

  it("reads the calls of an answer made elsewhere from toolCalls, or else from output", () => {
    const output = '[{"name": "ping", "arguments": {"n": 1}}]';
    expect(score({ output }).detail.f1).toBe(0);
    expect(score({ output, requests: 0 }).detail).toMatchObject({ f1: 1, from: "content" });
    expect(score({ output, toolCalls: [], requests: 0 }).detail.f1).toBe(0);
  });

  it("refuses surplus arguments with the option strictArguments", () => {
    const toolCalls = [{ name: "ping", arguments: { n: 1, loud: true } }];
    expect(score({ toolCalls }).detail.f1).toBe(1);
    expect(score({ toolCalls }, one, { strictArguments: true }).detail).toMatchObject({
      f1: 0,
      failures: [{ class: "surplusArgument", function: "ping", argument: "loud" }],
    });
  });

  const city = (expected: Json) => ({
    ...one,
    expected_calls: [{ name: "ping", arguments: { n: 1, city: expected } }],
  });
  const f1Of = (expected: Json, given: object) =>
    score({ toolCalls: [{ name: "ping", arguments: { n: 1, ...given } }] }, city(expected)).detail
      .f1;

  it.each<[string, object]>([
    ["absence", {}],
    ["an empty string", { city: "" }],
    ["blanks", { city: " " }],
    ["an empty list", { city: [] }],
    ["an empty object", { city: {} }],
    ["null", { city: null }],
  ])('accepts %s if "" is an accepted value, at any depth', (_, given) => {
    expect(f1Of({ any_of: ["NYC", ""] }, given)).toBe(1);
    expect(f1Of({ any_of: [""] }, given)).toBe(1);
    expect(f1Of({ any_of: [{ any_of: [7, ""] }] }, { city: "", ...given })).toBe(1);
    const inner = { place: { any_of: ["NYC", ""] } };
    const renamed = Object.fromEntries(Object.values(given).map((value) => ["place", value]));
    expect(f1Of(inner, { city: renamed })).toBe(1);
  });

  it.each<[string, object]>([
    ["another value", { city: "Oslo" }],
    ["zero", { city: 0 }],
    ["false", { city: false }],
    ["a list of an empty string", { city: [""] }],
    ["an object with an empty key", { city: { a: "" } }],
  ])('refuses %s if "" is an accepted value', (_, given) => {
    expect(f1Of({ any_of: ["NYC", ""] }, given)).toBe(0);
  });

  it.each<[string, object]>([
    ["absence", {}],
    ["an empty list", { city: [] }],
    ["an empty object", { city: {} }],
    ["null", { city: null }],
  ])('refuses %s if "" is not an accepted value', (_, given) => {
    expect(f1Of({ any_of: ["NYC", "New York"] }, given)).toBe(0);
    expect(f1Of("NYC", given)).toBe(0);
  });

  it("keeps the detail small for any number of calls", () => {
    const toolCalls = Array.from({ length: 900 }, (_, n) => call(n + 2));
    const { detail } = score({ toolCalls });
    expect(detail.predicted).toBe(900);
    expect(detail.calls.length + detail.failures.length).toBeLessThanOrEqual(129);
  });
});
