import { expect, it } from "vitest";
import { testFamily } from "../format/number.ts";
import { boardColumns, boardParts } from "./metrics.ts";

it("boardColumns() has the suite's parts, p95 latency and cost, each once", () => {
  const ids = boardColumns({ suite: "slots", headline: "f1" }).map(({ id }) => id);
  expect(ids.slice(-2)).toEqual(["latencyP95", "costPer1kUsd"]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(boardParts({ suite: "slots", headline: "f1" }).map(({ id }) => id)).toEqual(
    ids.slice(0, -2),
  );
  expect(boardColumns({ suite: "of another build", headline: "f1" })).toHaveLength(2);
});

it.each([
  [4005, "corrected for 4,005 comparisons by Holm"],
  [1, "not corrected: one comparison"],
])("testFamily(%d) states the number of tests", (tests, text) => {
  expect(testFamily(tests)).toBe(text);
});
