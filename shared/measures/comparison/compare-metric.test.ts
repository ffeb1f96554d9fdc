import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunScores } from "../../contracts/run-scores.ts";
import { compareMetric } from "./compare-metric.ts";

const scored = (run: string, values: (number | null)[], more: Partial<RunScores> = {}) => ({
  run,
  scores: { ids: values.map((_, i) => `s${i}`), clusters: null, values: { eqs: values }, ...more },
});

const eqs = { id: "eqs", better: "higher" } as const;
const many = (of: (i: number) => number) => Array.from({ length: 100 }, (_, i) => of(i));

describe("compareMetric()", () => {
  it("tests the common samples alone and says how many these are", () => {
    const a = scored("a", [1, 0.5, null, 0.8]);
    const b = scored("b", [0.5, 0.5, 1], { ids: ["s0", "s1", "s9"] });
    const found = compareMetric([a, b], eqs, "seed");
    expect(found).toMatchObject({ samples: 2, units: { kind: "samples", count: 2 } });
    expect(found?.pairs[0]).toMatchObject({
      ...{ a: "a", b: "b", difference: { value: 0.25 }, winRate: 0.75 },
    });
  });

  it("is null when no sample is common", () => {
    const b = scored("b", [1], { ids: ["other"] });
    expect(compareMetric([scored("a", [1]), b], eqs, "seed")).toBeNull();
  });

  it("calls a clear difference significant and puts the lower run in a group of its own", () => {
    const found = compareMetric(
      [
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
      ],
      eqs,
      "seed",
    );
    expect(found?.standings.map(({ run, tieGroup }) => [run, tieGroup])).toEqual([
      ["high too", 1],
      ["high", 1],
      ["low", 2],
    ]);
    expect(found?.standings[2]).toMatchObject({ rankInterval: [3, 3], best: 0 });
    expect(found?.pairs[0]).toMatchObject({ significantAt: 0.01, effectSize: "large" });
  });

  it("ranks a metric of which less is better the other way round", () => {
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
      compareMetric(runs, { id: "eqs", better }, "s")?.standings.map(({ run }) => run);
    expect(order("higher")).toEqual(["b", "a"]);
    expect(order("lower")).toEqual(["a", "b"]);
  });

  it("resamples and tests sources where samples share one", () => {
    // Ten sources of ten samples that all differ alike: ten observations, not a hundred.
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
    const [apart, together] = [compareMetric(flat, eqs, "s"), compareMetric(grouped, eqs, "s")];
    expect(together?.units).toEqual({ kind: "clusters", count: 10 });
    expect(together?.pairs[0]?.difference.value).toBe(apart?.pairs[0]?.difference.value);
    const width = (found: typeof apart) => {
      const [low, high] = found?.pairs[0]?.difference.interval ?? [0, 0];
      return high - low;
    };
    expect(width(together)).toBeGreaterThan(2 * width(apart));
    expect(together?.pairs[0]?.p).toBeGreaterThan(apart?.pairs[0]?.p ?? 1);
    expect(together?.pairs[0]?.samplesToSeparate).toBeGreaterThan(100);
  });

  it("weighs sources by their samples, so that the mean is that over samples", () => {
    const clusters = ["x", "x", "x", "y"];
    const runs = [scored("a", [1, 1, 1, 0], { clusters }), scored("b", [0, 0, 0, 0], { clusters })];
    const found = compareMetric(runs, eqs, "s");
    expect(found?.pairs[0]?.difference.value).toBe(0.75);
    expect(found?.standings[0]?.mean).toBe(0.75);
    // Tested values are 3·2/4 and 0: their mean is 0.75, their t 0.75 / 0.75 = 1.
    expect(found?.pairs[0]?.t).toBeCloseTo(1, 12);
  });

  it("keeps every figure within its range, whatever the scores", () => {
    const column = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(column, { minLength: 2, maxLength: 5 }), (columns) => {
        const found = compareMetric(
          columns.map((values, i) => scored(`r${i}`, values)),
          eqs,
          "s",
        );
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
