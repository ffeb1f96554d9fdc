import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalInterval } from "../../stats/significance/rate-interval.ts";
import { addRun, type ScoreTable, scoreTable } from "../comparison/score-table.ts";
import { ranksOf, studyRanks } from "./judging-study.ts";

const metric = { id: "mcs", better: "higher" } as const;
const count = 40;

/** A table of runs, by model and then by judging; `scores` are functions of the sample's index. */
function tableOf(scores: readonly ((sample: number) => number)[]): ScoreTable {
  const ids = Array.from({ length: count }, (_, i) => `s${i}`);
  const runs = scores.map((of) => ({
    ids,
    clusters: null,
    lacking: [],
    values: { mcs: { of: ids.map((_, i) => of(i)), over: null } },
  }));
  const table = scoreTable(runs[0]!);
  for (const [i, run] of runs.entries()) addRun(table, `run-${i}`, run);
  return table;
}

const study = (
  scores: readonly ((sample: number) => number)[],
  judgings: number,
  lengths: readonly Map<string, number>[] = [],
) => studyRanks(tableOf(scores), metric, judgings, lengths, "seed")!;

const ranksIn = ({ results }: ReturnType<typeof study>) =>
  results.map((row) => row.map(({ rank }) => rank));

const always = (value: number) => () => value;

describe("ranksOf()", () => {
  it.each([
    [
      [0.9, 0.5],
      [1, 2],
    ],
    [
      [0.5, 0.9, 0.5],
      [2.5, 1, 2.5],
    ],
    [
      [0.1 + 0.2, 0.3],
      [1.5, 1.5],
    ],
  ])("of %j is %j", (values, ranks) => {
    expect(ranksOf(values)).toEqual(ranks);
  });

  it("has the same sum for any values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { minLength: 1 }),
        (values) => {
          const sum = ranksOf(values).reduce((all, rank) => all + rank, 0);
          expect(sum).toBeCloseTo((values.length * (values.length + 1)) / 2);
        },
      ),
    );
  });
});

describe("studyRanks()", () => {
  it("gives all variance to the models if every judging ranks them the same", () => {
    const found = study([always(0.9), always(0.8), always(0.5), always(0.4)], 2);
    expect(ranksIn(found)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const rounded = found.results.map((row) => row.map(({ value }) => Number(value.toFixed(9))));
    expect(rounded).toEqual([
      [0.9, 0.8],
      [0.5, 0.4],
    ]);
    expect(found.variance).toEqual({ models: 1, judgings: 0, samples: 0, both: 0 });
  });

  it("gives all variance to the judgings if each has its own order", () => {
    const found = study([always(0.9), always(0.1), always(0.1), always(0.9)], 2);
    expect(ranksIn(found)).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(found.variance).toEqual({ models: 0, judgings: 1, samples: 0, both: 0 });
  });

  it("gives all variance to the samples if models differ only by sample, equally in each judging", () => {
    const even = (i: number) => i % 2;
    const odd = (i: number) => 1 - (i % 2);
    const { variance } = study([even, even, odd, odd], 2);
    expect(variance?.samples).toBeGreaterThan(0.95);
    expect(variance?.judgings).toBeLessThan(0.001);
  });

  it("splits the variance if models, judgings and samples matter; the shares sum to 1", () => {
    const noisy = (mean: number, seed: number) => (i: number) =>
      mean + 0.4 * Math.sin(12.9898 * (i + 1) * seed);
    const scores = [0.5, 0.6, 0.55, 0.62, 0.5, 0.4].map((mean, k) => noisy(mean, k + 1));
    const { models, judgings, samples, both } = study(scores, 3).variance!;
    expect(models + judgings + samples + both).toBeCloseTo(1, 9);
    for (const share of [models, judgings, samples, both]) expect(share).toBeGreaterThan(0);
  });

  it("has no variance if all models tie, and is null without common samples", () => {
    expect(study([always(0.5), always(0.5), always(0.5), always(0.5)], 2).variance).toBeNull();
    const table = tableOf([always(Number.NaN), always(0.5)]);
    expect(studyRanks(table, metric, 1, [], "seed")).toBeNull();
  });

  it("counts how often the longer answer of a pair scores higher, ties half", () => {
    const lengthsOf = (of: (sample: number) => number) =>
      new Map(Array.from({ length: count }, (_, i) => [`s${i}`, of(i)] as const));
    const lengths = [lengthsOf(() => 100), lengthsOf((i) => (i < 20 ? 200 : 50))];
    const longer = (i: number) => (i < 20 ? 0.9 : 0.1);
    // The first judging prefers the longer answer of each pair, the second scores all answers equally.
    const found = study([always(0.5), always(0.5), longer, always(0.5)], 2, lengths);
    expect(found.longerWins[0]?.value).toBe(1);
    expect(found.longerWins[1]).toEqual({
      value: 0.5,
      interval: equalInterval(0.5, count, [0, 1]),
    });
    expect(study([always(0.5), longer], 1).longerWins).toEqual([null]);
  });
});
