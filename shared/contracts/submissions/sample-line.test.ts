import { expect, test } from "vitest";
import { emptyAnswer } from "../answer.ts";
import { type SampleLineParts, sampleLine } from "./sample-line.ts";

const parts: SampleLineParts = {
  id: "a",
  repeat: 1,
  repeats: 1,
  errorClass: null,
  cluster: null,
  score: {
    status: "scored",
    score: 0.5,
    covered: true,
    detail: { exact: 2, fields: [1], salvage: { exact: 1, fields: [2] } },
  },
  call: { ...emptyAnswer, latencyMs: 12, attempts: 1 },
};
const base = {
  id: "a",
  outcome: "scored",
  covered: true,
  score: 0.5,
  latencyMs: 12,
  inputTokens: null,
  outputTokens: null,
  attempts: 1,
};
const lineOf = (more: Partial<SampleLineParts>, fields = false) =>
  JSON.parse(sampleLine({ ...parts, ...more }, { fields }));

test("sampleLine() omits judged fields unless they are requested", () => {
  expect(lineOf({})).toEqual({ ...base, exact: 2, salvage: { exact: 1 } });
  const detail = { exact: 2, fields: [1], salvage: { exact: 1, fields: [2] } };
  expect(lineOf({}, true)).toEqual({ ...base, ...detail });
});

test("sampleLine() contains the index of a repeat and the error class of a failed request", () => {
  expect(lineOf({ repeats: 2, errorClass: "timeout" })).toMatchObject({
    repeat: 1,
    errorClass: "timeout",
  });
});

test("sampleLine() omits counts and metrics if the detail was deleted", () => {
  const { detail: _, ...score } = parts.score;
  expect(lineOf({ score })).toEqual(base);
});
