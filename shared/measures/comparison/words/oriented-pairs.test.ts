import { expect, it } from "vitest";
import type { MetricComparison } from "../../../contracts/boards/comparison.ts";
import { orientedPairs, starsOf } from "./oriented-pairs.ts";

const standing = (run: string) => ({
  run,
  value: 0.5,
  interval: null,
  best: 0.5,
  tieGroup: 1,
  rankInterval: [1, 2] as [number, number],
});

const pair = (a: string, b: string): MetricComparison["pairs"][number] => ({
  a,
  b,
  winRate: 0.3,
  t: -2,
  p: 0.04,
  pHolm: 0.04,
  wilcoxon: 3,
  wilcoxonP: 0.05,
  wilcoxonPHolm: 0.05,
  cohensD: -0.4,
  effectSize: "small",
  dz: -0.5,
  significantAt: 0.05,
  difference: { value: -0.1, interval: [-0.3, 0.05] },
  detectableDifference: 0.2,
  samplesToSeparate: 30,
});

it("orientedPairs() swaps a pair whose second run ranks higher", () => {
  const [turned] = orientedPairs({
    standings: [standing("y"), standing("x")],
    pairs: [pair("x", "y")],
    better: "higher",
  });
  expect(turned).toMatchObject({
    first: "y",
    second: "x",
    t: 2,
    cohensD: 0.4,
    dz: 0.5,
    winRate: 0.7,
    p: 0.04,
    difference: { value: 0.1, interval: [-0.05, 0.3] },
  });
});

it("orientedPairs() counts lower values as wins if lower is better", () => {
  const [kept] = orientedPairs({
    standings: [standing("x"), standing("y")],
    pairs: [pair("x", "y")],
    better: "lower",
  });
  expect(kept).toMatchObject({
    first: "x",
    second: "y",
    difference: { value: -0.1 },
    winRate: 0.7,
  });
});

it("orientedPairs() orders pairs by the standings and omits missing pairs", () => {
  const standings = ["c", "a", "b"].map(standing);
  const pairs = [pair("a", "b"), pair("a", "c")];
  const found = orientedPairs({ standings, pairs, better: "higher" });
  expect(found.map(({ first, second }) => first + second)).toEqual(["ca", "ab"]);
});

it.each([
  [null, ""],
  [0.05, "*"],
  [0.01, "**"],
] as const)("starsOf(%s) is %j", (level, stars) => {
  expect(starsOf(level)).toBe(stars);
});
