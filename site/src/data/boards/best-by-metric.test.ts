import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Metric } from "#shared/contracts/metric.ts";
import { bestByMetric, modelChoice } from "./best-by-metric.ts";

const f1: Metric = {
  id: "f1",
  label: "F1",
  unit: "ratio",
  better: "higher",
  format: "score",
  definition: "",
};
const latency: Metric = {
  id: "ms",
  label: "Latency",
  unit: "ms",
  better: "lower",
  format: "ms",
  definition: "",
};

const estimate = (value: number | null) => ({ value, interval: null, n: 1, coverage: 1 });

const anEntry = (
  slug: string,
  rank: number | null,
  values: Readonly<Record<string, number | null>>,
): LeaderboardEntry => ({
  rank,
  rankInterval: null,
  best: null,
  tieGroup: null,
  unrankedReason: null,
  run: slug,
  model: {
    slug,
    name: slug,
    url: null,
    license: null,
    parameters: null,
    quantization: null,
    simulated: false,
  },
  provenance: { kind: "self-reported", endpointHost: null },
  headline: estimate(values["f1"] ?? null),
  metrics: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, estimate(value)])),
  n: 1,
  coverage: 1,
  scoringVersion: "s",
  codeRevision: null,
  concurrency: 1,
  attempts: {
    total: 1,
    finished: 1,
    failed: 0,
    cancelled: 0,
    running: 0,
    unlisted: 0,
    hidden: 0,
    deleted: 0,
  },
  startedAt: null,
  finishedAt: "2026-01-01T00:00:00Z",
});

const best = (...[entries, metrics, guide]: Parameters<typeof bestByMetric>) =>
  bestByMetric(entries, metrics, guide).map(({ metric, value, leaders }) => [
    metric.id,
    value,
    leaders.map(({ run }) => run),
  ]);

it("bestByMetric() takes the highest value of a metric, or the lowest if lower is better", () => {
  const entries = [anEntry("a", 1, { f1: 0.9, ms: 800 }), anEntry("b", 2, { f1: 0.7, ms: 200 })];
  expect(best(entries, [f1, latency])).toEqual([
    ["f1", 0.9, ["a"]],
    ["ms", 200, ["b"]],
  ]);
});

it("bestByMetric() names every model whose printed value is the best, in the board's order", () => {
  const entries = [
    anEntry("a", 1, { f1: 0.9001 }),
    anEntry("b", 2, { f1: 0.9004 }),
    anEntry("c", 3, { f1: 0.899 }),
  ];
  expect(best(entries, [f1])).toEqual([["f1", 0.9004, ["a", "b"]]]);
});

it("bestByMetric() ignores models without a rank or value", () => {
  const entries = [
    anEntry("a", 1, { f1: 0.5, ms: null }),
    anEntry("b", 2, { f1: 0 }),
    anEntry("c", null, { f1: 1, ms: 1 }),
  ];
  expect(best(entries, [f1, latency])).toEqual([
    ["f1", 0.5, ["a"]],
    ["ms", null, []],
  ]);
  expect(best([], [f1])).toEqual([["f1", null, []]]);
});

it("bestByMetric() names no model if the best value is 0 and higher is better", () => {
  const entries = [anEntry("a", 1, { f1: 0, ms: 0 }), anEntry("b", 2, { f1: 0, ms: 5 })];
  expect(best(entries, [f1, latency])).toEqual([
    ["f1", 0, []],
    ["ms", 0, ["a"]],
  ]);
});

it("bestByMetric() names no model if all have the lowest level", () => {
  const level: Metric = { ...f1, id: "level", unit: "level", format: "level" };
  expect(best([anEntry("a", 1, { level: 1 })], [level])).toEqual([["level", 1, []]]);
  expect(best([anEntry("a", 1, { level: 1.5 })], [level])).toEqual([["level", 1.5, ["a"]]]);
});

it("bestByMetric() has the guide's advice for a metric", () => {
  const guide = [{ metric: "ms", when: "where a user waits" }];
  const advised = bestByMetric([], [f1, latency], guide);
  expect(advised.map(({ when }) => when)).toEqual([null, "where a user waits"]);
});

it("modelChoice() never names a model both as the best and as equal to the best", () => {
  const entries = ["a", "b", "c", "d", "e", "f", "g", "h"].map((slug, i) => ({
    ...anEntry(slug, i + 1, { f1: i < 2 ? 0.9 : 0.8 }),
    tieGroup: i < 7 ? 1 : 2,
  }));
  const board = { suite: "slots", headline: "f1", entries };
  const choice = modelChoice({ board, path: "/" } as Parameters<typeof modelChoice>[0]);
  expect(choice.best[0]?.leaders.map(({ run }) => run)).toEqual(["a", "b"]);
  expect([choice.equals, choice.otherEquals]).toEqual([["c", "d", "e", "f"], 1]);
});
