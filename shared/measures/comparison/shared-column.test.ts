import { expect, it } from "vitest";
import { sharedColumn } from "./shared-column.ts";

it("sharedColumn() gives the first column of the same values", () => {
  const known: Float64Array[] = [];
  const first = Float64Array.of(1, 0);
  expect(sharedColumn(known, first)).toBe(first);
  expect(sharedColumn(known, Float64Array.of(1, 0))).toBe(first);
  for (const other of [Float64Array.of(1, 1), Float64Array.of(1), Float64Array.of(1, 0, 0)]) {
    expect(sharedColumn(known, other)).toBe(other);
  }
  expect(known).toHaveLength(4);
});
