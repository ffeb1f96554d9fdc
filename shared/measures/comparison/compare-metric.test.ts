import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scored, tableOf } from "./__fixtures__/table-of.ts";
import { commonSamples } from "./common-samples.ts";
import { compareMetric, rankMetric } from "./compare-metric.ts";
import { valueInterval } from "./compared-intervals.ts";
import { measuredRuns } from "./measured-runs.ts";

const compare = (runs: Parameters<typeof tableOf>[0], metric = eqs, seed = "seed") =>
  compareMetric(tableOf(runs), metric, seed);

const eqs: { id: string; better: "higher" | "lower" } = { id: "eqs", better: "higher" };
const many = (of: (i: number) => number) => Array.from({ length: 100 }, (_, i) => of(i));

describe("compareMetric()", () => {
  it("tests only the common samples and reports their number", () => {
    const a = scored("a", [1, 0.5, null, 0.8]);
    const b = scored("b", [0.5, 0.5, 1], { ids: ["s0", "s1", "s9"] });
    const found = compare([a, b]);
    expect(found).toMatchObject({ samples: 2, units: { kind: "samples", count: 2 } });
    expect(found?.pairs[0]).toMatchObject({
      a: "a",
      b: "b",
      difference: { value: 0.25 },
      winRate: 0.75,
    });
  });

  it("equals rankMetric(), except for pairs and notes", () => {
    const runs = [0, 1, 2].map((run) =>
      scored(
        `run-${run}`,
        many((i) => ((i * (7 + run)) % 10) / 10),
      ),
    );
    const { pairs, notes, ...ranked } = compare(runs)!;
    expect(pairs).toHaveLength(3);
    expect(notes).toEqual([]);
    expect(rankMetric(tableOf(runs), eqs, "seed")).toEqual({ ...ranked, pairs: [], notes: [] });
  });

  it("is null without common samples", () => {
    const b = scored("b", [1], { ids: ["other"] });
    expect(compare([scored("a", [1]), b])).toBeNull();
  });

  it("reports a clear difference as significant, with the lower run in another tie group", () => {
    const found = compare([
      scored(
        "low",
        many((i) => (i % 10) / 20),
      ),
      scored(
        "high",
        many((i) => 0.5 + (i % 7) / 20),
      ),
      scored(
        "high too",
        many((i) => 0.5 + ((i + 3) % 7) / 20),
      ),
    ]);
    expect(found?.standings.map(({ run, tieGroup }) => [run, tieGroup])).toEqual([
      ["high too", 1],
      ["high", 1],
      ["low", 2],
    ]);
    expect(found?.standings[2]).toMatchObject({ rankInterval: [3, 3], best: 0 });
    expect(found?.pairs[0]).toMatchObject({ significantAt: 0.01, effectSize: "large" });
  });

  it("puts runs with the same difference in every sample into different tie groups", () => {
    const right = many(() => 1);
    const wrong = many(() => 0);
    const found = compare([
      scored("right", right),
      scored("right too", right),
      scored("wrong", wrong),
    ]);
    expect(found?.standings.map(({ tieGroup }) => tieGroup)).toEqual([1, 1, 2]);
    const single = compare([scored("right", [1]), scored("wrong", [0])]);
    expect(single?.standings.map(({ tieGroup }) => tieGroup)).toEqual([1, 1]);
  });

  it("distinguishes runs whose names contain spaces", () => {
    const high = (shift: number) => many((i) => 0.5 + ((i + shift) % 7) / 20);
    const found = compare([
      scored("a", high(0)),
      scored("a b", high(3)),
      scored("b c", high(5)),
      scored(
        "c",
        many((i) => (i % 10) / 20),
      ),
    ]);
    expect(found?.standings.map(({ tieGroup }) => tieGroup)).toEqual([1, 1, 1, 2]);
  });

  it("ranks in ascending order if lower values are better", () => {
    const runs = [
      scored(
        "a",
        many(() => 1),
      ),
      scored(
        "b",
        many(() => 2),
      ),
    ];
    const order = (better: "higher" | "lower") =>
      compare(runs, { id: "eqs", better })?.standings.map(({ run }) => run);
    const spread = (better: "higher" | "lower") =>
      compare(runs, { id: "eqs", better })?.standings.map(({ rankInterval, best }) => [
        rankInterval,
        best,
      ]);
    for (const better of ["higher", "lower"] as const) {
      expect(spread(better)).toEqual([
        [[1, 1], 1],
        [[2, 2], 0],
      ]);
    }
    expect(order("higher")).toEqual(["b", "a"]);
    expect(order("lower")).toEqual(["a", "b"]);
  });

  it("resamples and tests sources instead of samples if samples share sources", () => {
    // Ten sources of ten samples with equal differences: ten observations, not a hundred.
    const clusters = many((i) => i).map((i) => `doc ${Math.floor(i / 10)}`);
    const noise = (i: number) => 0.5 + (Math.floor(i / 10) % 2 === 0 ? 0.1 : -0.08);
    const flat = [
      scored("a", many(noise)),
      scored(
        "b",
        many(() => 0.5),
      ),
    ];
    const grouped = flat.map(({ run, scores }) => ({ run, scores: { ...scores, clusters } }));
    const [apart, together] = [compare(flat), compare(grouped)];
    expect(together?.units).toEqual({ kind: "clusters", count: 10 });
    expect(together?.pairs[0]?.difference.value).toBeCloseTo(
      apart?.pairs[0]?.difference.value ?? 1,
      12,
    );
    const width = (found: typeof apart) => {
      const [low, high] = found?.pairs[0]?.difference.interval ?? [0, 0];
      return high - low;
    };
    expect(width(together)).toBeGreaterThan(2 * width(apart));
    expect(together?.pairs[0]?.p).toBeGreaterThan(apart?.pairs[0]?.p ?? 1);
    expect(together?.pairs[0]?.samplesToSeparate).toBeGreaterThan(100);
  });

  it("weights sources by their number of samples", () => {
    const clusters = ["x", "x", "x", "y"];
    const runs = [scored("a", [1, 1, 1, 0], { clusters }), scored("b", [0, 0, 0, 0], { clusters })];
    const found = compare(runs);
    expect(found?.pairs[0]?.difference.value).toBe(0.75);
    expect(found?.standings[0]?.value).toBe(0.75);
    // Tested values are 0.75 + (3 − 0.75 · 3) / 2 and 0.75 + (0 − 0.75) / 2, against 0: 0.375 from their mean.
    const error = Math.sqrt((0.375 / 2) ** 2 / (1 - 0.75) + (0.375 / 2) ** 2 / (1 - 0.25));
    expect(found?.pairs[0]?.t).toBeCloseTo(0.75 / error, 12);
    expect(found?.units).toEqual({
      kind: "clusters",
      count: 2,
      effective: expect.closeTo(1.6, 12),
    });
    // SciPy: 2 * t.sf(sqrt(3), 0.6).
    expect(found?.pairs[0]?.p).toBeCloseTo(0.436427666, 8);
  });

  it("has no p-value if sources of unequal size have equal differences in every sample", () => {
    const clusters = ["x", "x", "x", "y", "z", "z"];
    const [a, b] = [0.75, 0.5].map((score, i) =>
      scored(`r${i}`, Array(6).fill(score), { clusters }),
    );
    const pair = compare([a!, b!])?.pairs[0];
    expect(pair).toMatchObject({ p: null, t: null, difference: { value: 0.25 } });
    const [low, high] = pair!.difference.interval!;
    expect([low < 0.25, high > 0.25]).toEqual([true, true]);
  });

  it("resamples and tests a ratio of sums by its sums", () => {
    // Long samples have high scores and short ones low scores: the ratio is 0.9, the mean of samples 0.5.
    const over = many((i) => (i % 2 === 0 ? 18 : 2));
    const ratio = (run: string, of: number[]) =>
      scored(run, [], { ids: of.map((_, i) => `s${i}`), values: { eqs: { of, over } } });
    const good = many((i) => (i % 2 === 0 ? 18 - (i % 4) / 2 : 0));
    const found = compare([
      ratio("good", good),
      ratio(
        "bad",
        good.map((part) => part / 2),
      ),
    ]);
    const value = good.reduce((sum, part) => sum + part) / 1000;
    expect(found?.standings.map((one) => [one.run, one.value])).toEqual([
      ["good", expect.closeTo(value, 12)],
      ["bad", expect.closeTo(value / 2, 12)],
    ]);
    const pair = found?.pairs[0];
    const [low, high] = pair?.difference.interval ?? [1, 0];
    expect(low).toBeLessThan(value / 2);
    expect(high).toBeGreaterThan(value / 2);
    // The t-test's standard error is that of the resampled differences.
    const error = (pair?.difference.value ?? 0) / (pair?.t ?? 1);
    expect((high - low) / (2 * 1.96)).toBeCloseTo(error, 2);
  });

  it("excludes sources of any size without a difference from signed ranks", () => {
    // Only one sample of a hundred differs, so no test may be significant.
    const clusters = Array.from({ length: 100 }, (_, i) => (i < 40 ? "doc" : `s${i}`));
    const a = scored(
      "a",
      many(() => 1),
      { clusters },
    );
    const b = scored(
      "b",
      many((i) => (i === 99 ? 0.5 : 1)),
      { clusters },
    );
    const pair = compare([a, b])?.pairs[0];
    expect(pair?.wilcoxon).toBe(0);
    expect(pair?.wilcoxonP).toBeCloseTo(0.3173, 3);
    expect(pair?.p).toBeGreaterThan(0.3);
  });

  it("excludes samples without a difference from signed ranks of a ratio", () => {
    const ratio = (run: string, wrong: number) =>
      scored(run, [], {
        ids: many((i) => i).map((i) => `s${i}`),
        values: {
          eqs: {
            of: many(() => 6),
            over: many((i) => (i < wrong ? 9 : 8)),
          },
        },
      });
    const pair = compare([ratio("a", 0), ratio("b", 1)])?.pairs[0];
    expect(pair?.wilcoxonP).toBeCloseTo(0.3173, 3);
  });

  it("computes Cohen's d and wins over samples, even if sources are tested", () => {
    const clusters = Array.from({ length: 100 }, (_, i) => `doc ${i % 10}`);
    const [a, b] = [many((i) => (i % 7) / 7), many((i) => (i % 5) / 7)];
    const alone = compare([scored("a", a), scored("b", b)])?.pairs[0];
    const grouped = compare([scored("a", a, { clusters }), scored("b", b, { clusters })])?.pairs[0];
    expect(grouped?.cohensD).toBe(alone?.cohensD);
    expect(grouped?.winRate).toBe(alone?.winRate);
    expect(grouped?.dz).not.toBe(alone?.dz);
  });

  it("puts runs into one tie group if they differ significantly only before correction", () => {
    // Four of ten pairs have p = 0.031, which Holm's correction raises to 0.31.
    const base = many((i) => ((i * 37) % 60) / 100);
    const runs = [0, 1, 2, 3].map((run) => scored(`r${run}`, base));
    const better = scored(
      "better",
      base.map((score, i) => score + (i % 2 === 0 ? 0.122 : -0.078)),
    );
    const found = compare([...runs, better]);
    const close = found?.pairs.filter(({ p }) => (p ?? 1) < 0.05) ?? [];
    expect(close.map(({ significantAt }) => significantAt)).toEqual([null, null, null, null]);
    expect(found?.standings.map(({ tieGroup }) => tieGroup)).toEqual([1, 1, 1, 1, 1]);
  });

  it("keeps every figure within its range for any scores", () => {
    const column = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(column, { minLength: 2, maxLength: 5 }), (columns) => {
        const found = compare(columns.map((values, i) => scored(`r${i}`, values)));
        for (const pair of found?.pairs ?? []) {
          for (const p of [pair.p, pair.pHolm, pair.wilcoxonP, pair.winRate]) {
            if (p === null) continue;
            expect(p).toBeGreaterThanOrEqual(0);
            expect(p).toBeLessThanOrEqual(1);
          }
          const [low, high] = pair.difference.interval ?? [-1, 1];
          expect(low).toBeLessThanOrEqual(high);
        }
        const shares = found?.standings.reduce((sum, { best }) => sum + best, 0) ?? 1;
        expect(shares).toBeCloseTo(1, 6);
      }),
      { numRuns: 30 },
    );
  });
});

it.each([
  ["scores of 0 and 1 in the other run", [0, 1, 1, 1], [0.839, 1]],
  ["higher levels in the other run", [1, 2, 3, 4], null],
])("valueInterval() of 20 values of 1: %s", (_, others, expected) => {
  const twenty = (of: readonly number[]) =>
    Array.from({ length: 20 }, (_, i) => of[i % of.length]!);
  const table = tableOf([scored("a", twenty([1])), scored("b", twenty(others))]);
  const [a] = measuredRuns(table, commonSamples(table, "eqs"), "seed")!;
  const near = (value: number): unknown => expect.closeTo(value, 3);
  expect(valueInterval(a!)).toEqual(expected?.map(near) ?? null);
});
