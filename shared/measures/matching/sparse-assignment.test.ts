import fc from "fast-check";
import { expect, test } from "vitest";
import { maxAssignment } from "./assignment.ts";
import { type SparseValues, sparseAssignment } from "./sparse-assignment.ts";

const sparse = (pairs: [number, number, number][]): SparseValues => ({
  rows: pairs.map(([row]) => row),
  columns: pairs.map(([, column]) => column),
  values: pairs.map(([, , value]) => value),
});

test.each<[[number, number, number][], number[]]>([
  [[], [-1, -1]],
  [
    [
      [0, 1, 1],
      [1, 1, 2],
    ],
    [-1, 1],
  ],
  [
    [
      [0, 0, 0.9],
      [0, 1, 0.8],
      [1, 0, 0.8],
    ],
    [1, 0],
  ],
])("sparseAssignment() of %j is %j", (pairs, columns) => {
  expect([...sparseAssignment(sparse(pairs), 2, 2)]).toEqual(columns);
});

test("sparseAssignment() of small groups finds the best total", () => {
  const value = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 30, maxLength: 30 }), (values) => {
      const entries = values.map((value, at) => [Math.floor(at / 6), at % 6, value] as const);
      const pairs = sparse(entries.filter(([, , value]) => value > 0).map((entry) => [...entry]));
      const totalOf = (columnOf: Int32Array) =>
        columnOf.reduce((sum, column, row) => sum + (values[row * 6 + column] ?? 0), 0);
      const found = sparseAssignment(pairs, 5, 6);
      expect(new Set(found.filter((column) => column >= 0)).size).toBe(
        found.filter((column) => column >= 0).length,
      );
      const best = maxAssignment(Float64Array.from(values), 5, 6);
      expect(
        found.reduce((sum, column, row) => sum + (column < 0 ? 0 : values[row * 6 + column]!), 0),
      ).toBe(totalOf(best));
    }),
  );
});

test("sparseAssignment() assigns one huge group greedily: largest values first, then the nearest pairs", () => {
  const count = 20_000;
  const pairs: [number, number, number][] = [];
  for (let row = 0; row < count; row++) {
    for (const column of [row - 1, row, row + 1]) {
      if (column >= 0 && column < count) pairs.push([row, column, 1]);
    }
  }
  expect([...sparseAssignment(sparse(pairs), count, count)]).toEqual([...Array(count).keys()]);
});
