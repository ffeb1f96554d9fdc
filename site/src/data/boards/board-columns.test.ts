import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { headOf, mainColumns, viewColumns } from "./board-columns.ts";

const board = { suite: "slots", headline: "f1" };

const anEntry = (values: Readonly<Record<string, number | null>>) =>
  ({
    metrics: Object.fromEntries(
      Object.entries(values).map(([id, value]) => [
        id,
        { value, interval: null, n: 1, coverage: 1 },
      ]),
    ),
  }) as LeaderboardEntry;

it("mainColumns() draws only the headline", () => {
  const [headline, ...others] = mainColumns(board);
  expect([headline?.metric.id, headline?.isDrawn]).toEqual(["f1", true]);
  expect(new Set(others.map(({ isDrawn }) => isDrawn))).toEqual(new Set([false]));
  expect(others.slice(-2).map(({ metric }) => metric.id)).toEqual(["latencyP95", "costPer1kUsd"]);
});

it("viewColumns() keeps the view's order and lists metrics that no entry has", () => {
  const view = {
    id: "cost",
    label: "Cost",
    purpose: "What does it take?",
    metrics: ["costPer1kUsd", "latencyP95", "f1", "inputTokens"],
  };
  const entries = [
    anEntry({ f1: 0, latencyP95: null, costPer1kUsd: null }),
    anEntry({ latencyP95: 9 }),
  ];
  const { columns, unmeasured } = viewColumns({ ...board, entries }, view);
  expect(columns.map(({ metric, isDrawn }) => [metric.id, isDrawn])).toEqual([
    ["latencyP95", false],
    ["f1", true],
  ]);
  expect(unmeasured.map(({ id }) => id)).toEqual(["costPer1kUsd", "inputTokens"]);
});

it("mainColumns() always shows the headline, and moves latency and cost elsewhere on phones", () => {
  const folds = mainColumns(board).map(({ fold }) => fold);
  expect(folds).toEqual(["", "x", "x", "x", "x", "x", "k", "k"]);
});

it("viewColumns() hides columns that do not fit, but never the first", () => {
  const metrics = ["precision", "recall", "valueF1", "bleu1", "extraSlots", "latencyP50"];
  const more = ["latencyP99", "latencyMean", "inputTokens", "outputTokens"];
  const ids = [...metrics, ...more];
  const entries = [anEntry(Object.fromEntries(ids.map((id) => [id, 1])))];
  const view = { id: "v", label: "V", purpose: "?", metrics: ids };
  const { columns } = viewColumns({ ...board, entries }, view);
  expect(columns.map(({ fold }) => fold).join(",")).toBe(",x,x,x,x,x,x,x,z,z");
});

it.each([
  ["latencyP95", "Latency p95", "p95"],
  ["costPer1kUsd", "Cost per 1,000 answers", "$ / 1,000"],
  ["partialF1Macro", "Partial F1, mean of samples", "Partial F1, mean"],
  ["latencyMean", "Latency, mean", "Latency, mean"],
  ["hallucinationRate", "Hallucination rate", "Hallucination"],
  ["f1", "F1", "F1"],
])("headOf() shortens %s, %s, to %s", (id, label, head) => {
  expect(headOf({ id, label })).toBe(head);
});
