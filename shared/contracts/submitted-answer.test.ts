import { describe, expect, test } from "vitest";
import { emptyAnswer } from "./answer.ts";
import { answerOf, submittedAnswerSchema } from "./submitted-answer.ts";

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

  test.each([
    ["no row", null, "no answer was submitted for this sample"],
    ["a row with an error", { id: "a", output: "{}", error: "timed out" }, "timed out"],
    ["an empty error", { id: "a", error: "" }, ""],
  ])("makes %s an answer that could not be had", (_, row, message) => {
    expect(answerOf(row)).toMatchObject({
      output: null,
      error: { class: "missing_answer", message },
    });
  });

  test("counts a field that is null as left out", () => {
    const row = { id: "a", output: null, latencyMs: null, error: null };
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual(emptyAnswer);
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

  test("prefers the confidence that is given", () => {
    expect(answerOf({ id: "a", confidence: 0.9, logprobs: [half] }).confidence).toBe(0.9);
  });
});
