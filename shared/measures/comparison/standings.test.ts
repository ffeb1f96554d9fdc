import { expect, it } from "vitest";
import { scored, tableOf } from "./__fixtures__/table-of.ts";
import { compareMetric } from "./compare-metric.ts";
import { eachPair, pairAt } from "./measured-runs.ts";
import { rankRuns } from "./standings.ts";

const eqs = { id: "eqs", better: "higher" } as const;

it("rankRuns() equals compareMetric()", () => {
  const table = tableOf(
    ["a", "b", "c", "d"].map((run, r) =>
      scored(
        run,
        Array.from({ length: 80 }, (_, i) => ((i * (7 + r)) % (11 - r)) / 11 + r / 30),
      ),
    ),
  );
  const whole = compareMetric(table, eqs, "board");
  const ranked = rankRuns(table, eqs, "board");
  expect(ranked).toMatchObject({
    samples: 80,
    tests: 6,
    units: { kind: "samples", count: 80 },
    standings: whole?.standings,
  });
  for (const { a, b, pHolm } of whole?.pairs ?? []) {
    expect([ranked?.pHolm(a, b), ranked?.pHolm(b, a)]).toEqual([pHolm, pHolm]);
  }
  expect(ranked?.pHolm("a", "a")).toBeNull();
});

it("rankRuns() gives runs with identical answers the same rank and no significant difference", () => {
  const scores = Array.from({ length: 40 }, (_, i) => 0.5 + (i % 5) / 20);
  const worse = scores.map((score, i) => score - 0.2 - (i % 3) / 50);
  const ranked = rankRuns(
    tableOf([scored("a", scores), scored("b", worse), scored("twin", scores), scored("c", worse)]),
    eqs,
    "board",
  );
  const standing = (run: string) => {
    const { run: _, ...rest } = ranked!.standings.find((one) => one.run === run)!;
    return rest;
  };
  expect(standing("twin")).toEqual(standing("a"));
  expect(standing("c")).toEqual(standing("b"));
  expect(standing("a")).toMatchObject({ best: 0.5, rankInterval: [1, 2], tieGroup: 1 });
  expect(standing("b")).toMatchObject({ best: 0, rankInterval: [3, 4], tieGroup: 2 });
  expect([ranked?.pHolm("a", "twin"), ranked?.pHolm("b", "c")]).toEqual([1, 1]);
  expect(ranked?.tests).toBe(6);
});

it("rankRuns() makes no tests for a single sample", () => {
  const ranked = rankRuns(tableOf([scored("a", [1]), scored("b", [0])]), eqs, "board");
  expect([ranked?.tests, ranked?.pHolm("a", "b")]).toEqual([0, null]);
});

it("rankRuns() is null without common samples", () => {
  expect(rankRuns(tableOf([scored("a", [null]), scored("b", [1])]), eqs, "board")).toBeNull();
});

it("pairAt() finds the position of every pair in eachPair()", () => {
  const items = [0, 1, 2, 3, 4];
  const pairs = eachPair(items, (a, b) => [a, b] as const);
  expect(pairs).toHaveLength(10);
  for (const [at, [a, b]] of pairs.entries()) {
    expect([pairAt(a, b, 5), pairAt(b, a, 5)]).toEqual([at, at]);
  }
});
