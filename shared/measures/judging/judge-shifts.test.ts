import { expect, it } from "vitest";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import { judgeShifts } from "./judge-shifts.ts";

const metric = { id: "empathy", better: "higher" } as const;

/** Scores of two models' answers to each of `samples` samples. */
function scores(samples: number, scoreOf: (sample: number, model: number) => number | null) {
  const answers = Array.from(
    { length: samples * 2 },
    (_, i) => [Math.floor(i / 2), i % 2] as const,
  );
  return {
    ids: answers.map(([sample, model]) => `run-${model} s${sample}`),
    clusters: answers.map(([sample]) => `s${sample}`),
    lacking: [],
    values: { empathy: { of: answers.map(([s, m]) => scoreOf(s, m)), over: null } },
  } satisfies RunScores;
}

it("judgeShifts() returns the mean difference of the same answers, new minus old", () => {
  const before = scores(40, (sample) => 3 + (sample % 3));
  const after = scores(40, (sample, model) => 3 + (sample % 3) - 0.5 - 0.1 * (model ? 1 : -1));
  const [shift] = judgeShifts(before, after, [metric], "seed");
  expect(shift).toMatchObject({ metric: "empathy", n: 80 });
  expect(shift?.shift).toBeCloseTo(-0.5, 12);
  expect((shift?.after ?? 0) - (shift?.before ?? 0)).toBeCloseTo(-0.5, 12);
});

it("judgeShifts() resamples the answers to one sample together", () => {
  const drift = (sample: number) => ((sample * 37) % 11) / 11;
  const before = scores(40, () => 3);
  const after = scores(40, (sample) => 3 + drift(sample));
  const widthOf = (of: RunScores) => {
    const [low, high] = judgeShifts({ ...before, clusters: of.clusters }, of, [metric], "s")[0]!
      .interval!;
    return high - low;
  };
  const apart = { ...after, clusters: null };
  expect(widthOf(after) / widthOf(apart)).toBeGreaterThan(1.25);
});

it("judgeShifts() omits answers that one side did not judge, and has n = 0 if none is left", () => {
  const before = scores(10, () => 4);
  const after = scores(10, (sample) => (sample < 4 ? null : 5));
  expect(judgeShifts(before, after, [metric], "s")[0]).toMatchObject({ n: 12, shift: 1 });
  const none = scores(10, () => null);
  const shifts = judgeShifts(before, none, [metric, { id: "other", better: "higher" }], "s");
  expect(shifts.map(({ n, shift }) => [n, shift])).toEqual([
    [0, null],
    [0, null],
  ]);
});
