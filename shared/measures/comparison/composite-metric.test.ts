import studentQuantile from "@stdlib/stats-base-dists-t-quantile";
import { describe, expect, it } from "vitest";
import type { RunScores } from "../../contracts/runs/run-scores.ts";
import type { Composite } from "../../contracts/suite.ts";
import { xoshiro128 } from "../../stats/xoshiro128.ts";
import { byTotal, type LevelAnswer, levelled, levels, totalOf } from "./__fixtures__/levelled.ts";
import { tableOf } from "./__fixtures__/table-of.ts";
import { compareMetric } from "./compare-metric.ts";
import { compareRuns } from "./compare-runs.ts";
import { rankRuns } from "./standings.ts";

function answersOf(seed: string, skill = 0.5, count = 90): LevelAnswer[] {
  const draw = xoshiro128(seed);
  const unit = () => draw() / 2 ** 32;
  return Array.from({ length: count }, (_, i) => ({
    level: levels[i % 3]!,
    f1: unit() < skill ? 1 : unit(),
    // Times of the hard level exceed the clipping point, the others don't.
    timeMs: 100 + 300 * (i % 3) * (0.5 + unit()),
    onDevice: unit() < skill,
  }));
}

const compare = (...runs: ReturnType<typeof levelled>[]) =>
  compareMetric(tableOf(runs), byTotal, "seed");

const sources = Array.from({ length: 90 }, (_, i) => `doc ${Math.floor(Math.sqrt(i))}`);

describe("compareMetric() of a composite metric", () => {
  it("computes the metric over the common samples by its definition", () => {
    const [a, b] = [answersOf("a", 0.8), answersOf("b", 0.4)];
    const lacks = (i: number) => i % 10 === 0;
    const found = compare(
      levelled("a", a),
      levelled(
        "b",
        b.map((answer, i) => (lacks(i) ? null : answer)),
      ),
    );
    expect(found?.samples).toBe(81);
    const [first, second] = [a, b].map((run) => totalOf(run.filter((_, i) => !lacks(i))));
    expect(found?.standings.map(({ run, value }) => [run, value])).toEqual([
      ["a", expect.closeTo(first!, 12)],
      ["b", expect.closeTo(second!, 12)],
    ]);
    expect(found?.pairs[0]?.difference.value).toBeCloseTo(first! - second!, 12);
  });

  it.each([
    ["samples", []],
    ["clusters", sources],
  ])("has a t-test that agrees with the interval from resamples of %s", (kind, clusters) => {
    const [a, b] = [answersOf("a", 0.6), answersOf("b", 0.5)];
    const found = compare(levelled("a", a, clusters), levelled("b", b, clusters));
    expect(found?.units.kind).toBe(kind);
    const { t, difference } = found!.pairs[0]!;
    const [low, high] = difference.interval!;
    const error = difference.value / t!;
    const reach = studentQuantile(0.975, found!.units.count - 1);
    expect(Math.abs((high - low) / (2 * reach) / error - 1)).toBeLessThan(0.1);
  });

  it.each([
    ["samples", null],
    ["clusters", sources],
  ])("equals the comparison of the ratio if it has only one part, with %s", (_, clusters) => {
    const one: Composite = { parts: ["f1"], value: ([ratio]) => ratio ?? null };
    const runs = ["a", "b", "c"].map((run) => {
      const draw = xoshiro128(run);
      const over = sources.map((_, i) => 2 + (i % 7) + (draw() % 3));
      const f1 = { of: over.map((most) => draw() % (most + 1)), over };
      return { run, scores: scoresOf({ f1, composed: f1 }, clusters) };
    });
    const plain = compareMetric(tableOf(runs), { id: "f1", better: "higher" }, "seed");
    const metric = { id: "composed", better: "higher" as const, composite: one };
    const composed = compareMetric(tableOf(runs), metric, "seed");
    expect(composed).toEqual({ ...plain, metric: "composed" });
  });

  it("finds no difference between equal runs", () => {
    const answers = answersOf("a");
    const [pair] = compare(levelled("a", answers), levelled("b", answers))!.pairs;
    expect(pair).toMatchObject({
      difference: { value: 0 },
      t: null,
      p: 1,
      dz: null,
      cohensD: 0,
      wilcoxon: null,
      wilcoxonP: 1,
      winRate: 0.5,
      detectableDifference: null,
    });
  });

  it("counts wins by the values of single samples", () => {
    // Run a wins two samples, but loses the hard one, which has more weight.
    const answer = { timeMs: 100, onDevice: true };
    const run = (f1: number[]) => f1.map((f1, i) => ({ level: levels[i]!, f1, ...answer }));
    const found = compare(levelled("a", run([1, 1, 0])), levelled("b", run([0.9, 0.9, 1])));
    expect(found?.standings.map((one) => one.run)).toEqual(["b", "a"]);
    expect(found?.pairs[0]?.winRate).toBeCloseTo(2 / 3, 12);
  });

  it("is null if a run has no value over the common samples", () => {
    const never: Composite = { parts: ["easyF1"], value: ([ratio]) => ratio ?? null };
    const hard = answersOf("a").filter(({ level }) => level === "hard");
    const table = tableOf([levelled("a", hard), levelled("b", hard)]);
    const metric = { id: "total", better: "higher" as const, composite: never };
    expect(compareMetric(table, metric, "seed")).toBeNull();
    expect(rankRuns(table, metric, "seed")).toBeNull();
  });

  it("omits resamples without a sample of a required level", () => {
    const needed: Composite = { parts: ["easyF1"], value: ([ratio]) => ratio ?? null };
    const run = (f1: number) =>
      answersOf("a").map(
        (answer, i): LevelAnswer => ({ ...answer, level: i === 0 ? "easy" : "hard", f1 }),
      );
    const table = tableOf([levelled("a", run(0.75)), levelled("b", run(0.5))]);
    const metric = { id: "total", better: "higher" as const, composite: needed };
    const found = compareMetric(table, metric, "seed");
    expect(found?.standings.map(({ value, best }) => [value, best])).toEqual([
      [0.75, 1],
      [0.5, 0],
    ]);
    for (const { value, interval } of found!.standings) {
      expect(interval![0]).toBeLessThan(value);
      expect(interval![1]).toBeGreaterThan(value);
    }
  });
});

it("rankRuns() ranks by a composite metric like compareMetric()", () => {
  const table = tableOf(
    ["a", "b", "c", "d"].map((run, i) => levelled(run, answersOf(run, 0.4 + i / 10))),
  );
  const whole = compareMetric(table, byTotal, "board");
  expect(rankRuns(table, byTotal, "board")).toMatchObject({
    samples: 90,
    standings: whole?.standings,
  });
});

it("compareRuns() counts omitted samples and lists differing ones by a composite headline", () => {
  const [a, b] = [answersOf("a", 0.5, 3), answersOf("a", 0.5, 3)];
  b[1] = { ...b[1]!, f1: 0, onDevice: false };
  a[1] = { ...a[1]!, f1: 1, onDevice: true };
  const metrics = { headline: "total", bySample: [byTotal], byRun: [] };
  const table = tableOf([levelled("a", a), levelled("b", [...b.slice(0, 2), null])]);
  const found = compareRuns(table, [], metrics, "seed");
  expect(found.runs.map(({ leftOut }) => leftOut)).toEqual([1, 1]);
  expect(found.differing.map(({ id }) => id)).toEqual(["s1"]);
  const [high, low] = found.differing[0]!.scores;
  expect(high! - low!).toBeCloseTo(0.85, 12);
  expect(found.metrics[0]?.standings[0]?.value).toBeCloseTo(totalOf(a.slice(0, 2)), 12);
});

function scoresOf(values: RunScores["values"], clusters: string[] | null): RunScores {
  return { ids: sources.map((_, i) => `s${i}`), clusters, lacking: [], values };
}
