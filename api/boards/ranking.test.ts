import { expect, it } from "vitest";
import {
  byTotal,
  type LevelAnswer,
  levelled,
} from "#shared/measures/comparison/__fixtures__/levelled.ts";
import type { Platform } from "../platform/platform.ts";
import { type SummedRun, scoresKey } from "../runs/run-objects.ts";
import { boardStandings, rankEntries } from "./ranking.ts";

const entry = (
  slug: string,
  value: number | null,
  { coverage = 1, promptDeclared = true, replaced = 0 } = {},
) => ({
  run: slug,
  model: { slug },
  headline: { value, interval: null, n: 10, coverage },
  promptDeclared,
  replaced,
});

const ranks = (entries: ReturnType<typeof entry>[], better: "higher" | "lower" = "higher") =>
  rankEntries(entries, better).map(({ run, rank }) => [run, rank]);

it("rankEntries() puts the best first and lets equal values share a rank", () => {
  expect(ranks([entry("b", 0.5), entry("a", 0.5), entry("c", 0.9), entry("d", 0.1)])).toEqual([
    ["c", 1],
    ["a", 2],
    ["b", 2],
    ["d", 4],
  ]);
});

it("rankEntries() puts the lowest first where lower is better", () => {
  expect(ranks([entry("a", 3), entry("b", 1)], "lower")).toEqual([
    ["b", 1],
    ["a", 2],
  ]);
});

it("rankEntries() lists incomparable entries without a rank and with the reason", () => {
  const listed = rankEntries(
    [
      entry("low", 1, { coverage: 0.9499 }),
      entry("ok", 0.2),
      entry("undeclared", 0.9, { promptDeclared: false }),
      entry("replaced", 0.8, { replaced: 12 }),
      entry("none", null),
    ],
    "higher",
  );
  expect(listed.map(({ run, rank, unrankedReason }) => [run, rank, unrankedReason])).toEqual([
    ["ok", 1, null],
    ["low", null, "coverage 94.9% is below 95%"],
    [
      "undeclared",
      null,
      "the answers' prompt was not declared, or is not the suite's (promptHash)",
    ],
    [
      "replaced",
      null,
      "12 judgments by the fallback, because a judge of this board no longer exists",
    ],
    ["none", null, "no sample could be scored"],
  ]);
});

const aRun = (id: string): SummedRun => ({ id, retries: [] });

/** Many easy and some hard samples, with F1s of low variance; every `step`-th sample scores a little worse. */
const answers = (easy: number, hard: number, step = 5): LevelAnswer[] =>
  Array.from({ length: 100 }, (_, i) => ({
    level: i < 80 ? "easy" : "hard",
    f1: (i < 80 ? easy : hard) - (i % step) / 1000,
    timeMs: 200,
    onDevice: true,
  }));

it("boardStandings() ranks by the composite headline, not by the mean of sample scores", async () => {
  const runs = [
    levelled("good at easy", answers(1, 0.5)),
    levelled("good at hard", answers(0.9, 0.75, 7)),
  ];
  const stored = new Map(runs.map(({ run, scores }) => [scoresKey(aRun(run)), scores]));
  const platform = { objects: { get: async (key: string) => stored.get(key) ?? null } };
  const ranked = runs.map(({ run }) => aRun(run));
  const found = await boardStandings(platform as unknown as Platform, ranked, byTotal, "board");
  expect(found?.samples).toBe(100);
  expect(found?.byRun.get("good at hard")).toEqual({
    rank: 1,
    rankInterval: [1, 1],
    best: 1,
    tieGroup: 1,
  });
  expect(found?.byRun.get("good at easy")).toMatchObject({ rank: 2, best: 0, tieGroup: 2 });
  const order = ["good at hard", "good at easy"];
  expect(found?.tests(order)).toEqual({
    count: 1,
    units: { kind: "samples", count: 100 },
    pHolm: [[], [expect.any(Number)]],
  });
  expect(found?.tests(order).pHolm[1]?.[0]).toBeLessThan(0.05);
});
