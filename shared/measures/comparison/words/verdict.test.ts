import { expect, it } from "vitest";
import { scored, tableOf } from "../__fixtures__/table-of.ts";
import { compareMetric } from "../compare-metric.ts";
import { type VerdictRun, verdictOf } from "./verdict.ts";

const eqs = { id: "eqs", better: "higher" } as const;
const metric = { label: "EQS", format: "score" } as const;

/** 80 scores around `mean`, in a pattern of its own. */
const scores = (mean: number, step: number) =>
  Array.from({ length: 80 }, (_, i) => mean + ((i * step) % 7) / 70);

const facts: Readonly<Record<string, Omit<VerdictRun, "name">>> = {
  a: { p95Ms: 1_600, costUsd: 2.9 },
  b: { p95Ms: 1_000, costUsd: 1 },
  c: { p95Ms: null, costUsd: 0.07 },
};

const verdictOn = (means: Readonly<Record<string, number>>) => {
  const runs = Object.entries(means).map(([run, mean], i) => scored(run, scores(mean, 2 + i)));
  const tested = compareMetric(tableOf(runs), eqs, "board");
  if (tested === null) throw new Error("nothing was compared");
  const runOf = (run: string): VerdictRun => ({ name: run.toUpperCase(), ...facts[run]! });
  return { tested, verdict: verdictOf(tested, metric, runOf) };
};

it("verdictOf() says who leads, by how much and at what price", () => {
  const { tested, verdict } = verdictOn({ a: 0.8, b: 0.6, c: 0.2 });
  const { difference, pHolm } = tested.pairs[0]!;
  const ends = difference.interval!.map((end) => `+${end.toFixed(3)}`).join(" to ");
  expect(pHolm).toBeLessThan(0.001);
  expect(verdict).toEqual({
    lead: "A leads.",
    rest: [
      `+${difference.value.toFixed(3)} EQS against B (95% CI ${ends}, corrected p <0.001), first in 100.0% of resamples.`,
      "A costs 2.9 × as much and takes 1.6 × as long (p95) as B.",
      "Cheapest: C, $0.07 per 1,000 answers.",
    ],
  });
});

it("verdictOf() says that none leads, and how many samples would decide", () => {
  const { tested, verdict } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 });
  const { samplesToSeparate, significantAt } = tested.pairs[0]!;
  expect(significantAt).toBeNull();
  expect(verdict?.lead).toBe("No model leads.");
  const [found, need] = verdict!.rest;
  expect(found).toMatch(
    /^[AB] and [AB] are not significantly different: A has \+0\.\d{3} EQS against B \(95% CI .*, corrected p = /,
  );
  const needed = samplesToSeparate!.toLocaleString("en");
  expect(need).toBe(
    `About ${needed} samples would show a difference of this size with a power of 80%, instead of 80.`,
  );
});

it("verdictOf() names three of many, and says nothing about one", () => {
  const { verdict } = verdictOn({ a: 0.6, b: 0.601, c: 0.6005 });
  expect(verdict?.rest[0]).toMatch(/^\w, \w and \w are not significantly different/);
  const { tested } = verdictOn({ a: 0.6, b: 0.5 });
  const alone = { ...tested, standings: tested.standings.slice(0, 1) };
  expect(verdictOf(alone, metric, () => ({ name: "A", p95Ms: null, costUsd: null }))).toBeNull();
});

it("verdictOf() does not ask for more samples than anybody would add", () => {
  const { tested } = verdictOn({ a: 0.602, b: 0.6, c: 0.2 });
  const wide = tested.pairs.map((pair) => ({ ...pair, samplesToSeparate: 8_001 }));
  const runOf = (run: string): VerdictRun => ({ name: run, p95Ms: null, costUsd: null });
  const { rest } = verdictOf({ ...tested, pairs: wide }, metric, runOf)!;
  expect(rest).toHaveLength(1);
});

it("verdictOf() can't test a single sample", () => {
  const table = tableOf([scored("a", [1]), scored("b", [0])]);
  const tested = compareMetric(table, eqs, "board")!;
  const runOf = (name: string): VerdictRun => ({ name, p95Ms: null, costUsd: null });
  expect(verdictOf(tested, metric, runOf)).toEqual({
    lead: "No model leads.",
    rest: ["a and b can't be tested: a has +1.000 EQS against b."],
  });
});
