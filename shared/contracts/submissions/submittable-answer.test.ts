import { describe, expect, it } from "vitest";
import { emptyAnswer } from "../answer.ts";
import { submittableAnswer } from "./submittable-answer.ts";
import { answerOf, submittedAnswerSchema } from "./submitted-answer.ts";

const reader = { readsToolCalls: true } as const;
const known = { inputTokens: 12, outputTokens: 3, latencyMs: 80.5 };
const calls = [
  { name: "set_alarm", arguments: { time: "06:45" } },
  { name: "stop", arguments: '{"broken' },
];

describe("submittableAnswer()", () => {
  it.each([
    ["a text", { ...emptyAnswer, ...known, output: "{}", finishReason: "length" }],
    ["calls", { ...emptyAnswer, ...known, toolCalls: calls, confidence: 0.9, source: "on-device" }],
    ["a refusal", { ...emptyAnswer, refusal: "I won't" }],
    ["no content", { ...emptyAnswer }],
  ])("returns a row that answerOf() converts back to the same answer: %s", (_, answer) => {
    const row = JSON.parse(JSON.stringify(submittableAnswer("a", answer, reader)));
    expect(answerOf(submittedAnswerSchema.parse(row))).toEqual(answer);
  });

  it("keeps the class of an error without its message", () => {
    const error = { class: "timeout" as const, message: "https://inside.example took too long" };
    const row = submittableAnswer("a", { ...emptyAnswer, error, latencyMs: 60_000 }, reader);
    expect(row).toEqual({ id: "a", error: "timeout", latencyMs: 60_000 });
    expect(answerOf(submittedAnswerSchema.parse(row)).error?.class).toBe("timeout");
  });

  it("omits fields that a submission would be rejected for", () => {
    const answer = { ...emptyAnswer, output: "x", toolCalls: calls, confidence: 1.7 };
    const judged = { ...answer, judgments: { empathy: [] } };
    const row = submittableAnswer("a", judged, {});
    expect(row).toEqual({ id: "a", output: "x" });
  });
});
