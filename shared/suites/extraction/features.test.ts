import { expect, test } from "vitest";
import { anAnswer, aSample, scored } from "./__fixtures__/build.ts";
import { extractionFeatures } from "./features.ts";
import type { UnscoredDetail } from "./score.ts";

const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "string" } } };

test("extractionFeatures() tells the schema's size and what the answer earned", () => {
  const score = scored(aSample({ a: 1, b: "x" }, { schema }), anAnswer('{"a": 1}'));
  expect(extractionFeatures(score)).toEqual({
    ...{ totalFields: 2, bin: "simple", maxDepth: 0, partialF1: 2 / 3 },
  });
});

test("extractionFeatures() tells nothing of an answer without a score", () => {
  const detail: UnscoredDetail = {
    ...{ status: "answered", parse: "clean", truncated: false, inputChars: 1, outputChars: 1 },
    unscored: "too many steps",
  };
  expect(extractionFeatures({ status: "unscored", score: null, covered: true, detail })).toEqual(
    {},
  );
});
