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
  test("takes over what the row gives, the rest is null", () => {
    const row = { id: "a", output: "{}", latencyMs: 12, inputTokens: 3, outputTokens: 4 };
    const { id: _, ...given } = row;
    expect(answerOf({ ...row, source: "local" })).toEqual({
      ...emptyAnswer,
      ...given,
      source: "local",
    });
  });

  test("sums up what the replies of a conversation took, where all of them say so", () => {
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
  ])("makes %s an answer that could not be had", (_, row, message) => {
    expect(answerOf(row)).toMatchObject({
      output: null,
      error: { class: "missing_answer", message },
    });
  });

  test("makes no row an answer that was not submitted", () => {
    expect(answerOf(null)).toMatchObject({ output: null, error: { class: "not_submitted" } });
  });

  test("counts a field that is null as left out", () => {
    const row = { id: "a", output: null, latencyMs: null, error: null };
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual(emptyAnswer);
  });

  test.each([
    ["other\u202egnp", { servedModel: "other\ufffdgnp" }],
    ["m-2026-05-01", { servedModel: "m-2026-05-01" }],
    [" \u2800", {}],
  ])("shows the model %j as %j", (servedModel, shown) => {
    const row = { id: "a", output: "x", servedModel };
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual({
      ...emptyAnswer,
      output: "x",
      ...shown,
    });
  });

  test("takes over why the model stopped, and its refusal", () => {
    const row = { id: "a", output: null, finishReason: "length", refusal: "I can't." };
    const { id: _, ...given } = row;
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual({ ...emptyAnswer, ...given });
  });

  test.each([
    ["a list", [half, half], 0.5],
    ["OpenAI's object", { content: [{ logprob: 0 }, { logprob: 2 * half }] }, 0.5],
    ["an empty list", [], null],
    ["no content", { content: null }, null],
  ])("turns logprobs, %s, into a confidence", (_, logprobs, confidence) => {
    const found = answerOf({ id: "a", output: "x", logprobs }).confidence;
    if (confidence === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(confidence, 12);
  });

  test("makes records of judgments, where there are any", () => {
    const row = submittedAnswerSchema.parse({
      id: "a",
      output: "x",
      judgments: { kind: { a: 1 } },
    });
    expect(answerOf(row).judgments).toMatchObject({ kind: [{ judge: null, judgment: { a: 1 } }] });
    expect(answerOf({ id: "a", output: "x", judgments: null })).not.toHaveProperty("judgments");
  });

  test("prefers the confidence that is given", () => {
    expect(answerOf({ id: "a", confidence: 0.9, logprobs: [half] }).confidence).toBe(0.9);
  });
});

describe("submittedAnswerSchema", () => {
  test.each([
    ["an unknown field", { output: "x", latency_ms: 1 }, "", /"latency_ms"/],
    ["neither output nor error", {}, "", /^give output .* or error/],
    [
      "an output beside an error",
      { output: "x", error: "timeout" },
      "",
      /^give output or error, not both/,
    ],
    ["an object for an output", { output: { a: 1 } }, "output", /^must be a string; JSON, too/],
    ["a confidence above 1", { output: "x", confidence: 7 }, "confidence", /<=1$/],
    ["a confidence below 0", { output: "x", confidence: -0.1 }, "confidence", />=0$/],
    ["a logprob above 0", { output: "x", logprobs: [-1, 2.5] }, "logprobs/1", /<=0$/],
    [
      "a call without arguments",
      { toolCalls: [{ name: "ping" }] },
      "toolCalls/0/arguments",
      /^must be an object, or its JSON as the model wrote it$/,
    ],
    ["judgments in a list", { output: "x", judgments: [] }, "judgments", /^must be an object of/],
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
  ])("takes %j", (row) => {
    expect(submittedAnswerSchema.safeParse({ id: "a", ...row }).success).toBe(true);
  });
});

describe("unreadToolCalls()", () => {
  const row = { id: "a", toolCalls: [] };
  test("says that a suite without tool calls reads output", () => {
    expect(unreadToolCalls(row, { id: "slots" })).toBe("suite slots reads output, not toolCalls");
  });

  test.each([
    ["of a suite that reads them", row, { id: "tools", readsToolCalls: true as const }],
    ["that are null", { ...row, toolCalls: null }, { id: "slots" }],
    ["that are left out", { id: "a", output: "" }, { id: "slots" }],
    ["of an empty list beside an output", { ...row, output: "" }, { id: "slots" }],
  ])("has nothing against tool calls %s", (_, given, suite) => {
    expect(unreadToolCalls(given, suite)).toBeNull();
  });
});

describe("unreadJudgments()", () => {
  const judging = { judges: [{ id: "empathy" }, { id: "a/b" }] } as unknown as Suite["judging"];
  const of = (judgments: Record<string, unknown> | null, suite = { id: "x", judging }) =>
    unreadJudgments({ id: "a", output: "", judgments }, suite as Pick<Suite, "id" | "judging">);

  test.each<[string, Record<string, unknown> | null]>([
    ["that are null", null],
    ["of no metric", {}],
    [
      "by fields, as records, as a panel, as scores have them",
      {
        empathy: { empathy_score: 4 },
        "empathy/part": { judgment: {} },
        "a/b": [null, {}, { unjudged: { reason: "judge_failed" } }],
      },
    ],
    ["that are left out", { empathy: null }],
    ["as scores have them", { empathy: { value: 4, judges: [{ judgment: {} }] } }],
  ])("has nothing against judgments %s", (_, judgments) => {
    expect(of(judgments)).toBeNull();
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["another metric", { warmth: {} }, "/judgments/warmth", "unknown metric; choose empathy, a/b"],
    ["a longer name", { empathyx: {} }, "/judgments/empathyx", "unknown metric"],
    ["a number", { empathy: 4 }, "/judgments/empathy", "must be a judgment"],
    ["a list of texts", { "a/b": [{}, "x"] }, "/judgments/a~1b", "must be a judgment"],
    ["too large a panel", { empathy: Array(17).fill({}) }, "/judgments/empathy", "at most 16"],
  ])("finds %s", (_, judgments, pointer, detail) => {
    expect(of(judgments)).toEqual({ pointer, detail: expect.stringContaining(detail) });
  });

  test("refuses all of them for a suite that is not judged", () => {
    const detail = "suite quality is not judged, and reads no judgments";
    expect(of({}, { id: "quality", judging: undefined })).toEqual({
      pointer: "/judgments",
      detail,
    });
  });
});
