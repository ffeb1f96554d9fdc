import { describe, expect, test } from "vitest";
import { emptyAnswer } from "../answer.ts";
import type { Suite } from "../suite.ts";
import {
  answerOf,
  submittedAnswerSchema,
  unreadJudgments,
  unreadToolCalls,
} from "./submitted-answer.ts";

const half = Math.log(0.5);

describe("answerOf()", () => {
  test("copies the row's fields; the others are null", () => {
    const row = { id: "a", output: "{}", latencyMs: 12, inputTokens: 3, outputTokens: 4 };
    const { id: _, ...given } = row;
    expect(answerOf({ ...row, source: "local" })).toEqual({
      ...emptyAnswer,
      ...given,
      source: "local",
    });
  });

  test("sums the times and tokens of a conversation if every reply has them", () => {
    const step = { output: "Hi.", latencyMs: 100, inputTokens: 10, outputTokens: 2 };
    const cached = { ...step, cachedTokens: 8, reasoningTokens: 1 };
    const answer = answerOf({ id: "a", turns: [[step, cached], [cached]] });
    const sums = { latencyMs: 300, inputTokens: 30, cachedTokens: 16, reasoningTokens: 2 };
    expect(answer).toMatchObject({ ...sums, turns: [[step, cached], [cached]] });
    expect(answerOf({ id: "a", turns: [[step]] })).not.toHaveProperty("cachedTokens");
    const other = answerOf({ id: "a", turns: [[cached]], cachedTokens: 5 });
    expect(other).toMatchObject({ cachedTokens: 5, reasoningTokens: 1 });
  });

  test.each([
    ["a row with an error", { id: "a", output: "{}", error: "timed out" }, "timed out"],
    ["an empty error", { id: "a", error: "" }, ""],
  ])("converts %s to a missing answer", (_, row, message) => {
    expect(answerOf(row)).toMatchObject({
      output: null,
      error: { class: "missing_answer", message },
    });
  });

  test("converts a missing row to an answer that was not submitted", () => {
    expect(answerOf(null)).toMatchObject({ output: null, error: { class: "not_submitted" } });
  });

  test("treats a null field as missing", () => {
    const row = { id: "a", output: null, latencyMs: null, error: null };
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual(emptyAnswer);
  });

  test.each([
    ["other\u202egnp", { servedModel: "other\ufffdgnp" }],
    ["m-2026-05-01", { servedModel: "m-2026-05-01" }],
    [" \u2800", {}],
  ])("stores the model name %j as %j", (servedModel, shown) => {
    const row = { id: "a", output: "x", servedModel };
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual({
      ...emptyAnswer,
      output: "x",
      ...shown,
    });
  });

  test("copies the finish reason and the refusal", () => {
    const row = { id: "a", output: null, finishReason: "length", refusal: "I can't." };
    const { id: _, ...given } = row;
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual({ ...emptyAnswer, ...given });
  });

  test.each([
    ["a list", [half, half], 0.5],
    ["OpenAI's object", { content: [{ logprob: 0 }, { logprob: 2 * half }] }, 0.5],
    ["an empty list", [], null],
    ["no content", { content: null }, null],
  ])("computes the confidence from logprobs: %s", (_, logprobs, confidence) => {
    const found = answerOf({ id: "a", output: "x", logprobs }).confidence;
    if (confidence === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(confidence, 12);
  });

  test("converts judgments to records if there are any", () => {
    const row = submittedAnswerSchema.parse({
      id: "a",
      output: "x",
      judgments: { kind: { a: 1 } },
    });
    expect(answerOf(row).judgments).toMatchObject({ kind: [{ judge: null, judgment: { a: 1 } }] });
    expect(answerOf({ id: "a", output: "x", judgments: null })).not.toHaveProperty("judgments");
  });

  test("prefers a given confidence over logprobs", () => {
    expect(answerOf({ id: "a", confidence: 0.9, logprobs: [half] }).confidence).toBe(0.9);
  });
});

describe("submittedAnswerSchema", () => {
  test.each([
    ["an unknown field", { output: "x", latency_ms: 1 }, "", /"latency_ms"/],
    ["neither output nor error", {}, "", /^give output .* or error/],
    [
      "an output next to an error",
      { output: "x", error: "timeout" },
      "",
      /^give output or error, not both/,
    ],
    ["an object as output", { output: { a: 1 } }, "output", /^must be a string: send JSON as text/],
    ["a confidence above 1", { output: "x", confidence: 7 }, "confidence", /<=1$/],
    ["a confidence below 0", { output: "x", confidence: -0.1 }, "confidence", />=0$/],
    ["a logprob above 0", { output: "x", logprobs: [-1, 2.5] }, "logprobs/1", /<=0$/],
    [
      "a call without arguments",
      { toolCalls: [{ name: "ping" }] },
      "toolCalls/0/arguments",
      /^must be an object, or its JSON as the model wrote it$/,
    ],
    ["a list of judgments", { output: "x", judgments: [] }, "judgments", /^must be an object of/],
    ["logprobs of another shape", { output: "x", logprobs: "-1" }, "logprobs", /^must be a list/],
  ])("refuses %s", (_, row, path, message) => {
    const { error } = submittedAnswerSchema.safeParse({ id: "a", ...row });
    expect(error?.issues.map((issue) => issue.path.join("/"))).toEqual([path]);
    expect(error?.issues[0]?.message).toMatch(message);
  });

  test.each([
    { refusal: "no" },
    { output: null, error: "timeout" },
    { output: "x", error: null },
    { output: "", logprobs: [0, -0.5], confidence: 1 },
  ])("accepts %j", (row) => {
    expect(submittedAnswerSchema.safeParse({ id: "a", ...row }).success).toBe(true);
  });
});

describe("unreadToolCalls()", () => {
  const row = { id: "a", toolCalls: [] };
  test("reports tool calls for a suite that only reads output", () => {
    expect(unreadToolCalls(row, { id: "slots" })).toBe("suite slots reads output, not toolCalls");
  });

  test.each([
    ["for a suite that reads them", row, { id: "tools", readsToolCalls: true as const }],
    ["that are null", { ...row, toolCalls: null }, { id: "slots" }],
    ["that are missing", { id: "a", output: "" }, { id: "slots" }],
    ["as an empty list next to an output", { ...row, output: "" }, { id: "slots" }],
  ])("accepts tool calls %s", (_, given, suite) => {
    expect(unreadToolCalls(given, suite)).toBeNull();
  });
});

describe("unreadJudgments()", () => {
  const judging = { judges: [{ id: "empathy" }, { id: "a/b" }] } as unknown as Suite["judging"];
  const of = (judgments: Record<string, unknown> | null, suite = { id: "x", judging }) =>
    unreadJudgments({ id: "a", output: "", judgments }, suite as Pick<Suite, "id" | "judging">);

  test.each<[string, Record<string, unknown> | null]>([
    ["that are null", null],
    ["without a metric", {}],
    [
      "as fields, as a record and as a panel",
      {
        empathy: { empathy_score: 4 },
        "empathy/part": { judgment: {} },
        "a/b": [null, {}, { unjudged: { reason: "judge_failed" } }],
      },
    ],
    ["of a metric that is null", { empathy: null }],
    ["in the format of scores", { empathy: { value: 4, judges: [{ judgment: {} }] } }],
  ])("accepts judgments %s", (_, judgments) => {
    expect(of(judgments)).toBeNull();
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["another metric", { warmth: {} }, "/judgments/warmth", "unknown metric; choose empathy, a/b"],
    ["a longer metric", { empathyx: {} }, "/judgments/empathyx", "unknown metric"],
    ["a number as judgment", { empathy: 4 }, "/judgments/empathy", "must be a judgment"],
    ["a text in a list", { "a/b": [{}, "x"] }, "/judgments/a~1b", "must be a judgment"],
    ["too large a panel", { empathy: Array(17).fill({}) }, "/judgments/empathy", "at most 16"],
  ])("reports %s", (_, judgments, pointer, detail) => {
    expect(of(judgments)).toEqual({ pointer, detail: expect.stringContaining(detail) });
  });

  test("rejects all judgments for a suite without judges", () => {
    const detail = "suite quality is not judged, and reads no judgments";
    expect(of({}, { id: "quality", judging: undefined })).toEqual({
      pointer: "/judgments",
      detail,
    });
  });
});
