import { expect, it } from "vitest";
import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { boardVerdict } from "./board-verdict.ts";
import { mostCompared } from "./comparison-request.ts";
import type { BoardPage } from "./place-boards.ts";
import { placeOfRun, runVerdict } from "./run-standing.ts";

const entry = (run: string, rank: number | null) => ({
  run,
  rank,
  rankInterval: rank && [rank, rank + 1],
  finishedAt: "2026-11-01T00:00:00Z",
  scoringVersion: "s",
  model: { name: run.toUpperCase() },
});
const entries = [entry("a", 1), entry("b", 2), entry("c", null), entry("d", 3)];
const page = {
  path: "/leaderboards/tools/stock/",
  board: { id: "board", entries: entries.slice(0, 3) },
} as unknown as BoardPage;
const placeOf = (run: string) => placeOfRun(page, entries as never, run);

it("placeOfRun() compares the first run with the second, and others with the first", () => {
  expect(placeOf("a")).toMatchObject({ rank: 1, ranked: 3, rival: { run: "b", name: "B" } });
  expect(placeOf("b")).toMatchObject({ rankInterval: [2, 3], rival: { run: "a", name: "A" } });
  expect(placeOf("b")?.compared).toHaveLength(2);
});

it("placeOfRun() is null for runs without a rank or below the compared ones", () => {
  expect([placeOf("c"), placeOf("d"), placeOf("x")]).toEqual([null, null, null]);
  const many = Array.from({ length: 30 }, (_, i) => entry(`r${i}`, i + 1));
  const large = { ...page, board: { ...page.board, entries: many } } as unknown as BoardPage;
  const places = many.map(({ run }) => placeOfRun(large, many as never, run)?.rank ?? null);
  expect(places).toEqual(many.map(({ rank }) => (rank! <= mostCompared ? rank : null)));
});

const standing = (run: string, value: number) => ({ run, value, best: 0.5, tieGroup: 1 });
const compared = {
  metric: "eqs",
  better: "higher",
  samples: 57,
  units: { kind: "samples", count: 57 },
  // On the samples that both have, b is better: it did not submit its hardest ones.
  standings: [standing("b", 0.9), standing("a", 0.87)],
  pairs: [
    {
      a: "a",
      b: "b",
      difference: { value: -0.03, interval: [-0.04, -0.02] },
      samplesToSeparate: 58,
    },
  ],
};
const ranked = [
  { ...entry("a", 1), headline: { value: 0.88 }, best: 0.8, tieGroup: 1, metrics: {} },
  { ...entry("b", 2), headline: { value: 0.86 }, best: 0.2, tieGroup: 1, metrics: {} },
];

it.each([
  [57, "A: −0.030 EQS against B (95% CI −0.040 to −0.020, p = 0.487). About 58 samples"],
  [60, "A: +0.020 EQS over B (p = 0.487). How many samples would tell A from B can't"],
])(
  "boardVerdict() of a board of %d samples states differences on the samples of its p-values",
  (samples, expected) => {
    const tests = { count: 1, units: { kind: "samples", count: samples }, pHolm: [[], [0.487]] };
    const board = { headline: "eqs", entries: ranked, comparedSamples: samples, tests } as never;
    const metric = { id: "eqs", label: "EQS", format: "score" } as never;
    const verdict = boardVerdict(board, metric, {
      comparison: { metrics: [compared] } as never as Comparison,
      load: { shared: null, own: new Map() },
    });
    expect([verdict?.lead, ...(verdict?.rest ?? [])].join(" ")).toContain(
      `No model leads. A and B are not significantly different; ${expected}`,
    );
  },
);

it("runVerdict() takes the share of resamples from the board, not from the comparison", () => {
  const own = (run: string, rank: number, best: number) => ({
    ...entry(run, rank),
    tieGroup: rank,
    best,
    metrics: {},
  });
  const board = {
    headline: "f1",
    tests: { count: 1, pHolm: [[], [0.001]] },
    entries: [own("a", 1, 0.981), own("b", 2, 0.019)],
  };
  const difference = { value: 0.1, interval: null };
  const tested = {
    metric: "f1",
    samples: 80,
    standings: [
      { run: "a", tieGroup: 1, best: 0.999 },
      { run: "b", tieGroup: 2, best: 0.001 },
    ],
    pairs: [{ a: "a", b: "b", difference, pHolm: 0.001 }],
    units: { kind: "samples", count: 80 },
  };
  const verdict = runVerdict({ ...page, board } as never, {
    run: "a",
    metric: { label: "F1", format: "score" } as never,
    comparison: { metrics: [tested] } as never,
    runs: [],
  });
  expect(verdict?.rest[0]).toContain("first in 98.1% of resamples");
});
