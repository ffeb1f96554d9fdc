import { expect, it } from "vitest";
import { timesForCorrection } from "../../../stats/significance/power.ts";
import { scored, tableOf } from "../__fixtures__/table-of.ts";
import { compareMetric } from "../compare-metric.ts";
import { type VerdictRun, verdictOf } from "./verdict.ts";

const eqs = { id: "eqs", better: "higher" } as const;
const metric = { label: "EQS", format: "score" } as const;

/** 80 scores around `mean`, in a pattern that depends on `step`. */
const scores = (mean: number, step: number) =>
  Array.from({ length: 80 }, (_, i) => mean + ((i * step) % 7) / 70);

const facts: Readonly<Record<string, Omit<VerdictRun, "name">>> = {
  a: { p95Ms: 1_600, costUsd: 2.9 },
  b: { p95Ms: 1_000, costUsd: 1 },
  c: { p95Ms: null, costUsd: 0.07 },
};

const verdictOn = (means: Readonly<Record<string, number>>, about?: string) => {
  const runs = Object.entries(means).map(([run, mean], i) => scored(run, scores(mean, 2 + i)));
  const tested = compareMetric(tableOf(runs), eqs, "board");
  if (tested === null) throw new Error("nothing was compared");
  const runOf = (run: string): VerdictRun => ({ name: run.toUpperCase(), ...facts[run]! });
  return { tested, verdict: verdictOf(tested, metric, runOf, about) };
};

it("verdictOf() names the leader with its lead, relative cost and latency", () => {
  const { tested, verdict } = verdictOn({ a: 0.8, b: 0.6, c: 0.2 });
  const { difference, pHolm } = tested.pairs[0]!;
  const ends = difference.interval!.map((end) => end.toFixed(3)).join("–");
  expect(pHolm).toBeLessThan(0.001);
  expect(verdict).toEqual({
    lead: "A leads.",
    rest: [
      `+${difference.value.toFixed(3)} EQS over B (95% CI ${ends}, corrected p < 0.001), first in all resamples; 2.9 × the cost, 1.6 × slower (p95).`,
      "Cheapest: C, $0.07 per 1,000 answers.",
    ],
  });
});

it("verdictOf() compares the requested run with the first", () => {
  const { tested, verdict } = verdictOn({ a: 0.8, b: 0.6, c: 0.2 }, "b");
  const { difference } = tested.pairs[0]!;
  const ends = difference.interval!.map((end) => `−${end.toFixed(3)}`).reverse();
  expect(verdict).toEqual({
    lead: "Behind A.",
    rest: [
      `B: −${difference.value.toFixed(3)} EQS against A (95% CI ${ends.join(" to ")}, corrected p < 0.001); 0.34 × the cost, 1.6 × faster (p95).`,
      "Cheapest: C, $0.07 per 1,000 answers.",
    ],
  });
});

it("verdictOf() names no leader over a third run if the first two tie", () => {
  const means = { a: 0.602, b: 0.6, c: 0.2 };
  const { tested, verdict } = verdictOn(means, "c");
  const first = tested.standings[0]!.run.toUpperCase();
  expect(verdictOn(means).verdict?.lead).toBe("No model leads.");
  expect(verdict?.lead).toBe(`Behind ${first}.`);
  expect(verdict?.rest[0]).toMatch(new RegExp(`^C: −0\\.\\d{3} EQS against ${first} \\(`));
});

it("verdictOf() says that the requested run is not significantly different from the first", () => {
  const { tested } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 });
  const [first, second] = tested.standings.map(({ run }) => run.toUpperCase());
  const { verdict } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 }, tested.standings[1]!.run);
  expect(verdict?.lead).toBe(`Not significantly different from ${first}.`);
  expect(verdict?.rest[0]).toMatch(
    new RegExp(`^${second}: −0\\.\\d{3} EQS against ${first} \\(95% CI .* to .*, corrected p = `),
  );
  expect(verdict?.rest[1]).toMatch(`samples would tell ${second} from ${first}`);
});

it("verdictOf() says that no model leads, and how many samples would decide", () => {
  const { tested, verdict } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 });
  const { samplesToSeparate, significantAt } = tested.pairs[0]!;
  expect(significantAt).toBeNull();
  expect(verdict?.lead).toBe("No model leads.");
  const [found, need] = verdict!.rest;
  expect(found).toMatch(
    /^[AB] and [AB] are not significantly different; [AB]: \+0\.\d{3} EQS over [AB] \(95% CI .*, corrected p = /,
  );
  // The correction is for three tests; the number is rounded to two digits.
  const needed = Number(need?.match(/^About ([\d,]+) samples/)?.[1]?.replaceAll(",", ""));
  expect(needed / (samplesToSeparate! * timesForCorrection(3))).toBeCloseTo(1, 0);
  expect(needed).toBeGreaterThan(samplesToSeparate!);
  expect(need).toMatch(/ would tell [AB] from [AB] in 80% of cases; 80 were compared\.$/);
});

it("verdictOf() names three tied runs, and is null for a single run", () => {
  const { verdict } = verdictOn({ a: 0.6, b: 0.601, c: 0.6005 });
  expect(verdict?.rest[0]).toMatch(/^\w, \w and \w are not significantly different/);
  const { tested } = verdictOn({ a: 0.6, b: 0.5 });
  const alone = { ...tested, standings: tested.standings.slice(0, 1) };
  expect(verdictOf(alone, metric, () => ({ name: "A", p95Ms: null, costUsd: null }))).toBeNull();
});

it("verdictOf() suggests no sample number beyond 100 times the current one", () => {
  const { tested } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 });
  const wide = tested.pairs.map((pair) => ({ ...pair, samplesToSeparate: 8_001 }));
  const runOf = (run: string): VerdictRun => ({ name: run, p95Ms: null, costUsd: null });
  const { rest } = verdictOf({ ...tested, pairs: wide }, metric, runOf)!;
  expect(rest).toHaveLength(2);
  expect(rest[1]).toBe("The difference is too small to show with 100 times the samples.");
  const unknown = tested.pairs.map((pair) => ({ ...pair, samplesToSeparate: null }));
  expect(verdictOf({ ...tested, pairs: unknown }, metric, runOf)!.rest[1]).toMatch(
    /^How many samples would tell \w from \w can't be estimated\.$/,
  );
});

it("verdictOf() names no leader with too few clusters", () => {
  const { tested } = verdictOn({ a: 0.8, b: 0.6, c: 0.2 });
  const runOf = (run: string): VerdictRun => ({ name: run, p95Ms: null, costUsd: null });
  const units = { kind: "clusters", count: 4 } as const;
  const { lead, rest } = verdictOf({ ...tested, units }, metric, runOf)!;
  expect(lead).toBe("Too few sources of samples to say who leads.");
  expect(rest).toEqual([expect.stringMatching(/^a: \+0\.\d{3} EQS over b \(95% CI /)]);
});

it("verdictOf() reports no test for a single sample", () => {
  const table = tableOf([scored("a", [1]), scored("b", [0])]);
  const tested = compareMetric(table, eqs, "board")!;
  const runOf = (name: string): VerdictRun => ({ name, p95Ms: null, costUsd: null });
  expect(verdictOf(tested, metric, runOf)).toEqual({
    lead: "No model leads.",
    rest: ["a and b can't be tested; a: +1.000 EQS over b."],
  });
});
