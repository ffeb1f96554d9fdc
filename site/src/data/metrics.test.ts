import { expect, it } from "vitest";
import { boardColumns, boardParts, summaryOf } from "./metrics.ts";

const known = { value: 0.5, interval: null, n: 2, coverage: 1 };
const unknown = { value: null, interval: null, n: 0, coverage: 0 };
const run = { suite: "slots", headline: "f1" };

it("summaryOf() leaves out what rests on no sample, but not the headline", () => {
  const { key, others } = summaryOf(run, { f1: unknown, precision: known, judgeScore: unknown });
  expect(key.map(({ metric }) => metric.id)).toEqual(["f1"]);
  expect(others.flatMap(({ rows }) => rows.map(({ metric }) => metric.id))).toEqual(["precision"]);
});

it("summaryOf() keeps what was looked for in samples and not found", () => {
  const { others } = summaryOf(run, { recall: { ...unknown, n: 3 } });
  expect(others[0]?.rows[0]?.metric.id).toBe("recall");
});

it("boardColumns() has the suite's parts, then p95 latency and cost, each once", () => {
  const ids = boardColumns({ suite: "slots", headline: "f1" }).map(({ id }) => id);
  expect(ids.slice(-2)).toEqual(["latencyP95", "costPer1kUsd"]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(boardParts({ suite: "slots", headline: "f1" }).map(({ id }) => id)).toEqual(
    ids.slice(0, -2),
  );
  expect(boardColumns({ suite: "of another build", headline: "f1" })).toHaveLength(2);
});
