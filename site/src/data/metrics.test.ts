import { expect, it } from "vitest";
import { summaryOf } from "./metrics.ts";

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
