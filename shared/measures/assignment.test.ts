import fc from "fast-check";
import { expect, test } from "vitest";
import { maxAssignment } from "./assignment.ts";

test.each([
  [0, 3, [], []],
  [2, 0, [], [-1, -1]],
  [2, 2, [1, 5, 4, 6], [1, 0]],
  [2, 3, [1, 2, 9, 1, 2, 8], [2, 1]],
  [3, 1, [1, 3, 2], [-1, 0, -1]],
])("maxAssignment() of %d rows and %d columns %j is %j", (rows, columns, values, pairs) => {
  expect([...maxAssignment(Float64Array.from(values), rows, columns)]).toEqual(pairs);
});

test("maxAssignment() reaches the best total that trying everything finds", () => {
  const side = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(side, side, fc.infiniteStream(fc.integer({ min: -9, max: 9 })), (n, m, stream) => {
      const values = Float64Array.from({ length: n * m }, () => stream.next().value as number);
      const pairs = maxAssignment(values, n, m);
      const used = [...pairs].filter((j) => j >= 0);
      expect(new Set(used).size).toBe(Math.min(n, m));
      expect(used.length).toBe(Math.min(n, m));
      expect(totalOf(values, m, pairs)).toBe(bestTotal(values, n, m));
    }),
  );
});

test("maxAssignment() of 500 × 400 random values takes well under a second or two", () => {
  const values = Float64Array.from({ length: 200_000 }, (_, i) => ((i * 7919) % 10_007) / 10_007);
  expect([...maxAssignment(values, 500, 400)].filter((j) => j >= 0)).toHaveLength(400);
});

function totalOf(values: Float64Array, columns: number, pairs: Int32Array): number {
  return pairs.reduce((sum, j, i) => (j < 0 ? sum : sum + values[i * columns + j]!), 0);
}

/** Tries every injective choice of columns, rows left out where there are too many. */
function bestTotal(values: Float64Array, rows: number, columns: number): number {
  const best = (row: number, free: number[], skips: number): number => {
    if (row === rows) return 0;
    const taken = free.map(
      (j) =>
        values[row * columns + j]! +
        best(
          row + 1,
          free.filter((other) => other !== j),
          skips,
        ),
    );
    const skipped = skips > 0 ? [best(row + 1, free, skips - 1)] : [];
    return Math.max(...taken, ...skipped);
  };
  return best(0, [...Array(columns).keys()], Math.max(0, rows - columns));
}
