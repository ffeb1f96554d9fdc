import { expect, test } from "vitest";
import { anAnswer, aSample, aScored } from "./__fixtures__/build.ts";
import { rowsOf, scoreRow } from "./state.ts";

test("scoreRow() keeps counts, call and cluster, no text", () => {
  const sample = aSample({ a: 1, b: 2 }, { tags: { cluster: "doc-1" } });
  const row = scoreRow(
    aScored(0, sample, anAnswer('{"a": 1}', { latencyMs: 12, outputTokens: 5 })),
  );
  expect(row).toMatchObject({ id: "s1", cluster: "doc-1", exact: 1, missed: 1, valid: true });
  expect(row.call).toMatchObject({ latencyMs: 12, outputTokens: 5, errorClass: null });
});

test("rowsOf() gives rows in the order of the run", () => {
  const row = scoreRow(aScored(0, aSample({}), anAnswer("{}")));
  const rows = { 10: { ...row, id: "b" }, 2: { ...row, id: "a" } };
  expect(rowsOf({ rows }).map(({ id }) => id)).toEqual(["a", "b"]);
});
