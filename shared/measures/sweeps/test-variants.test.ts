import { describe, expect, test } from "vitest";
import { holm } from "../../stats/significance/holm.ts";
import { xoshiro128 } from "../../stats/xoshiro128.ts";
import { compareMetric } from "../comparison/compare-metric.ts";
import { addRun, scoreTable } from "../comparison/score-table.ts";
import { testVariants } from "./test-variants.ts";

const overall = { id: "overall", better: "higher" as const };

/** A table of one metric with one column for each run; runs are named by their index. */
function tableOf(
  columns: readonly (readonly number[])[],
  clusters: (string | null)[] | null = null,
) {
  const scores = columns.map((of) => ({
    ids: of.map((_, i) => `s${i}`),
    clusters,
    lacking: [],
    values: { overall: { of: [...of], over: null } },
  }));
  const table = scoreTable(scores[0] ?? { ids: [], clusters, lacking: [], values: {} });
  for (const [i, one] of scores.entries()) addRun(table, `run-${i}`, one);
  return table;
}

/** Uniform random numbers 0–1 for a seed. */
function uniform(seed: string): () => number {
  const next = xoshiro128(seed);
  return () => next() / 2 ** 32;
}

const noise = uniform("noise");
const around = (mean: number, spread: number, n = 40) =>
  Array.from({ length: n }, () => mean + (noise() - 0.5) * spread);

describe("testVariants()", () => {
  const top = around(0.9, 0.2);
  const close = top.map((value, i) => value - 0.002 + (i % 2 === 0 ? 0.01 : -0.01));
  const columns = [around(0.6, 0.2), top, close, around(0.5, 0.2)];
  const table = tableOf(columns);

  test("makes the best value the leader, and lists variants that are not significantly different", () => {
    const found = testVariants(table, overall, "seed");
    expect([found?.leader, found?.best, found?.tied]).toEqual(["run-1", null, ["run-2"]]);
    expect(found?.variants[1]?.versusLeader).toBeNull();
    const [low, high] = found?.variants[0]?.versusLeader?.difference.interval ?? [0, 0];
    expect(low).toBeLessThan(-0.25);
    expect(high).toBeLessThan(-0.2);
  });

  test("reports neither a tie nor a best variant if one is worse by the same on every sample", () => {
    const worse = top.map(() => 0.5);
    const found = testVariants(tableOf([top.map(() => 1), worse, columns[3]!]), overall, "seed");
    expect([found?.leader, found?.best, found?.tied]).toEqual(["run-0", null, []]);
    expect(found?.variants[1]?.versusLeader).toMatchObject({ pHolm: null, wilcoxonPHolm: null });
    expect(found?.variants[1]?.versusLeader?.wilcoxonP).toBeLessThan(0.001);
  });

  test("names the leader best if every other variant is significantly worse", () => {
    const found = testVariants(tableOf([columns[0]!, columns[1]!, columns[3]!]), overall, "seed");
    expect([found?.best, found?.tied]).toEqual(["run-1", []]);
    expect(found?.variants.map(({ versusLeader }) => versusLeader?.significantAt)).toEqual([
      0.01,
      undefined,
      0.01,
    ]);
  });

  test("chooses the lowest value if lower is better", () => {
    const found = testVariants(table, { ...overall, better: "lower" }, "seed");
    expect([found?.leader, found?.best]).toEqual(["run-3", "run-3"]);
  });

  test("tests like compareMetric(), corrected only over the variants", () => {
    const found = testVariants(table, overall, "seed");
    const pairs = compareMetric(table, overall, "seed")?.pairs ?? [];
    const others = found?.variants.filter(({ run }) => run !== "run-1") ?? [];
    const pairOf = (run: string) =>
      pairs.find(({ a, b }) => [a, b].sort().join() === [run, "run-1"].sort().join());
    for (const { run, versusLeader: versus } of others) {
      const pair = pairOf(run);
      const sign = pair?.a === run ? 1 : -1;
      expect(versus).toMatchObject({
        p: pair?.p,
        wilcoxon: pair?.wilcoxon,
        wilcoxonP: pair?.wilcoxonP,
        difference: { value: expect.closeTo(sign * (pair?.difference.value ?? 0), 12) },
        cohensD: expect.closeTo(sign * (pair?.cohensD ?? 0), 12),
      });
    }
    const ps = others.map(({ versusLeader }) => versusLeader?.p ?? null);
    expect(others.map(({ versusLeader }) => versusLeader?.pHolm)).toEqual(holm(ps));
  });

  test("names no best variant if all are equal", () => {
    const found = testVariants(tableOf([columns[0]!, columns[0]!]), overall, "seed");
    expect([found?.leader, found?.best, found?.tied]).toEqual(["run-0", null, ["run-1"]]);
    expect(found?.variants[1]?.versusLeader).toMatchObject({ p: 1, wilcoxonP: 1, t: null });
  });

  test("tests clusters if samples share sources", () => {
    const clusters = columns[0]!.map((_, i) => `c${i % 5}`);
    const found = testVariants(tableOf(columns, clusters), overall, "seed");
    expect(found?.units).toEqual({ kind: "clusters", count: 5 });
  });

  test.each([
    ["without samples", tableOf([[], []]), null],
    ["of one sample", tableOf([[0.5], [0.7]]), { leader: "run-1", best: null, tied: ["run-0"] }],
    ["of one variant", tableOf([[0.5, 0.6]]), { leader: "run-0", best: null, tied: [] }],
  ])("handles a table %s", (_, one, expected) => {
    const found = testVariants(one, overall, "seed");
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject(expected);
  });

  test("gives the same bytes for the same seed", () => {
    const bytes = () => JSON.stringify(testVariants(table, overall, "seed"));
    expect(bytes()).toBe(bytes());
  });
});

/** Tests the verdict's guarantees in sweeps with known true values. */
describe("testVariants() in many sweeps", () => {
  /** With this number of sweeps, an observed share for a true 5% is between 2% and 8%. */
  const sweeps = 200;

  /** How often a variant is named best, and how often the truly best one is excluded. */
  function outcomes(means: readonly number[], truth: number) {
    const draw = uniform(`sweeps ${means.length}`);
    let [named, missed] = [0, 0];
    for (let s = 0; s < sweeps; s++) {
      const hard = Array.from({ length: 12 }, draw);
      const columns = means.map((mean) => hard.map((easy) => mean + easy + draw()));
      const found = testVariants(tableOf(columns), overall, "x");
      const left = [found?.leader, ...(found?.tied ?? [])];
      if (found?.best !== null) named++;
      if (!left.includes(`run-${truth}`)) missed++;
    }
    return { named: named / sweeps, missed: missed / sweeps };
  }

  // Fifteen equal variants are the hardest case, because any of them may lead by chance.
  test.each([2, 15])(
    "names one of %i equal variants best in at most 5 of 100 sweeps, and excludes any as rarely",
    (count) => {
      const { named, missed } = outcomes(Array(count).fill(0), 0);
      expect(named).toBeLessThanOrEqual(0.08);
      expect(missed).toBeLessThanOrEqual(0.08);
    },
  );

  test("names a variant that is far better", () => {
    expect(outcomes([0, 0, 0, 0.9, 0], 3).named).toBeGreaterThan(0.9);
  });
});
