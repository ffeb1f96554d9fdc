import { expect, test } from "vitest";
import { bootstrap } from "../../stats/bootstrap.ts";
import { sumFigures } from "../../stats/sum-figures.ts";
import { aSyntheticSample } from "./__fixtures__/synthetic.ts";
import { binGroups, tagGroups } from "./group-breakdown.ts";
import { groupSpreads, type NamedGroup } from "./group-intervals.ts";
import type { ScoreRow } from "./score-row.ts";
import { addAnswer, groupsWithSamples, noAnswers } from "./state.ts";

type Scored = Parameters<typeof addAnswer>[1];

const stateOf = (samples: readonly Scored[]) => samples.reduce(addAnswer, noAnswers());
const aState = (count: number) =>
  stateOf(Array.from({ length: count }, (_, seq) => aSyntheticSample(seq)));
const groupsOf = (state: ReturnType<typeof aState>) => [
  ...binGroups(state, 1),
  ...tagGroups(state, 1).groups,
];
const state = aState(400);
const rows = Object.values(state.rows);
const spreadsOf = (groups: readonly NamedGroup[], kept: readonly ScoreRow[] | null = rows) =>
  groupSpreads(groups, kept, groupsWithSamples(state), "run");
const eqsOf = (of: readonly ScoreRow[]) =>
  bootstrap(of.length, "run", [
    sumFigures([Float64Array.from(of, ({ eqs }) => eqs)], [(sums) => sums[0]! / of.length]),
  ])[0]!;

test("groupSpreads() resamples a group's own samples 10,000 times", () => {
  const groups = groupsOf(state);
  const english = groups.find(({ name }) => name === "en")!;
  const spread = spreadsOf(groups).get(english)!;
  expect(spread.resampled).toBe("samples");
  const [low, high] = eqsOf(rows.filter(({ tags }) => tags["language"] === "en"));
  expect(spread.intervals["eqs"]![0]).toBeCloseTo(low, 12);
  expect(spread.intervals["eqs"]![1]).toBeCloseTo(high, 12);
});

test("groupSpreads() resamples clusters where samples have them", () => {
  const samples = Array.from({ length: 60 }, (_, seq) => {
    const one = aSyntheticSample(seq);
    return { ...one, tags: { ...one.tags, cluster: `c${seq % 6}` } };
  });
  const clustered = stateOf(samples);
  const groups = groupsOf(clustered).filter(({ name }) => name === "complex");
  const kept = Object.values(clustered.rows);
  const spread = groupSpreads(groups, kept, [], "run").get(groups[0]!)!;
  const sums = new Map<string, { eqs: number; n: number }>();
  for (const { cluster, eqs } of kept.filter(({ bin }) => bin === "complex")) {
    const known = sums.get(cluster!) ?? { eqs: 0, n: 0 };
    sums.set(cluster!, { eqs: known.eqs + eqs, n: known.n + 1 });
  }
  const column = (of: "eqs" | "n") => Float64Array.from([...sums.values()], (one) => one[of]);
  const mean = sumFigures([column("eqs"), column("n")], [([eqs, n]) => eqs! / n!]);
  const [low, high] = bootstrap(6, "run", [mean])[0]!;
  expect(spread.intervals["eqs"]![0]).toBeCloseTo(low, 12);
  expect(spread.intervals["eqs"]![1]).toBeCloseTo(high, 12);
});

test("groupSpreads() takes bins and tags of few values first, and groups of samples for the rest", () => {
  const groups = groupsOf(state);
  const spreads = spreadsOf(groups);
  const kinds = (key: string | null) => [
    ...new Set(groups.filter((one) => one.key === key).map((one) => spreads.get(one)!.resampled)),
  ];
  expect([kinds(null), kinds("language"), kinds("source")]).toEqual([
    ...[["samples"], ["samples"], ["groups"]],
  ]);
  const blocks = spreadsOf(groups, null);
  expect([...new Set([...blocks.values()].map(({ resampled }) => resampled))]).toEqual(["groups"]);
});

test("groupSpreads() gives the same values and much the same intervals either way", () => {
  const groups = binGroups(state, 1);
  const [own, parts] = [spreadsOf(groups), spreadsOf(groups, null)];
  for (const group of groups) {
    const [a, b] = [own.get(group)!, parts.get(group)!];
    a.sums.forEach((sum, k) => {
      expect(b.sums[k]).toBeCloseTo(sum, 9);
    });
    const [low, high] = a.intervals["eqs"]!;
    const [otherLow, otherHigh] = b.intervals["eqs"]!;
    expect((otherHigh - otherLow) / (high - low)).toBeGreaterThan(0.6);
    expect((otherHigh - otherLow) / (high - low)).toBeLessThan(1.6);
  }
});
