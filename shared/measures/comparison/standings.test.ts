import { expect, it } from "vitest";
import { scored, tableOf } from "./__fixtures__/table-of.ts";
import { compareMetric } from "./compare-metric.ts";
import { eachPair, pairAt } from "./measured-runs.ts";
import { rankRuns } from "./standings.ts";

const eqs = { id: "eqs", better: "higher" } as const;

it("rankRuns() says of the runs what the whole comparison says", () => {
  const table = tableOf(
    ["a", "b", "c", "d"].map((run, r) =>
      scored(
        run,
        Array.from({ length: 80 }, (_, i) => ((i * (7 + r)) % (11 - r)) / 11 + r / 30),
      ),
    ),
  );
  const whole = compareMetric(table, eqs, "board");
  expect(rankRuns(table, eqs, "board")).toEqual({
    samples: 80,
    standings: whole?.standings,
  });
});

it("rankRuns() of runs without a common sample is null", () => {
  expect(rankRuns(tableOf([scored("a", [null]), scored("b", [1])]), eqs, "board")).toBeNull();
});

it("pairAt() finds every pair where eachPair() puts it", () => {
  const items = [0, 1, 2, 3, 4];
  const pairs = eachPair(items, (a, b) => [a, b] as const);
  expect(pairs).toHaveLength(10);
  for (const [at, [a, b]] of pairs.entries()) {
    expect([pairAt(a, b, 5), pairAt(b, a, 5)]).toEqual([at, at]);
  }
});
