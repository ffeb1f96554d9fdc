import { expect, test } from "vitest";
import { answered } from "../__fixtures__/answered.ts";
import { consistencyIntervals } from "./consistency-intervals.ts";
import { addAnswer, noAnswers } from "./state.ts";

/** Samples asked twice: by each whether both outputs are alike. */
function stateOf(alike: readonly boolean[], clusterOf?: (sample: number) => string) {
  return alike
    .flatMap((isAlike, sample) =>
      [0, 1].map((repeat) => {
        const output = isAlike ? "same" : `output ${repeat}`;
        const detail = { outputHash: output, fieldValues: { name: output, n: repeat } };
        const tags: Record<string, string> = clusterOf ? { cluster: clusterOf(sample) } : {};
        return { ...answered(sample * 2 + repeat, [], { detail }), id: `s${sample}`, tags };
      }),
    )
    .reduce(addAnswer, noAnswers());
}

const twenty = Array.from({ length: 20 }, (_, i) => i % 2 === 0);

test("consistencyIntervals() resamples the samples", () => {
  const { outputConsistency, fieldConsistency, valueDeviation } = consistencyIntervals(
    stateOf(twenty),
    "run",
  );
  // A mean of twenty that are 0.5 or 1, half each: standard error 0.25 / √20 = 0.056, of fields that of 0 or ½.
  expect(outputConsistency?.[0]).toBeCloseTo(0.75 - 1.96 * 0.056, 1);
  expect(outputConsistency?.[1]).toBeCloseTo(0.75 + 1.96 * 0.056, 1);
  expect(fieldConsistency?.[0]).toBeCloseTo(0.25 - 1.96 * 0.056, 1);
  expect(fieldConsistency?.[1]).toBeCloseTo(0.25 + 1.96 * 0.056, 1);
  expect(valueDeviation).toEqual([Math.SQRT1_2, Math.SQRT1_2].map((one) => expect.closeTo(one, 9)));
});

test("consistencyIntervals() resamples samples of one source together", () => {
  const width = (state: Parameters<typeof consistencyIntervals>[0]) => {
    const [low, high] = consistencyIntervals(state, "run").outputConsistency ?? [0, 0];
    return high - low;
  };
  const halves = Array.from({ length: 40 }, (_, i) => i % 8 < 4);
  const apart = width(stateOf(halves));
  // Sources of four that are alike in this: a fourth of the units, twice the width.
  const together = width(stateOf(halves, (sample) => `source ${Math.floor(sample / 4)}`));
  expect(together / apart).toBeGreaterThan(1.7);
  expect(together / apart).toBeLessThan(2.3);
});

test("consistencyIntervals() has none below two samples, or without repeats", () => {
  const none = { outputConsistency: null, fieldConsistency: null, valueDeviation: null };
  expect(consistencyIntervals(stateOf([true]), "run")).toEqual(none);
  expect(consistencyIntervals(noAnswers(), "run")).toEqual(none);
});
