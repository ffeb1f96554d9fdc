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

test("maxAssignment() finds the same best total as an exhaustive search", () => {
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

test("maxAssignment() from upper bounds finds the same total and requests no value twice", () => {
  const side = fc.integer({ min: 1, max: 12 });
  const slack = fc.infiniteStream(fc.constantFrom(0, 0, 1, 5, 40));
  const entry = fc.infiniteStream(fc.integer({ min: -9, max: 9 }));
  fc.assert(
    fc.property(side, side, entry, slack, (n, m, entries, slacks) => {
      const values = Float64Array.from({ length: n * m }, () => entries.next().value as number);
      const bounds = values.map((value) => value + (slacks.next().value as number));
      const asked = new Set<number>();
      const pairs = maxAssignment(bounds, n, m, (at) => {
        expect(asked.has(at)).toBe(false);
        asked.add(at);
        return values[at]!;
      });
      expect([...pairs].filter((j) => j >= 0).length).toBe(Math.min(n, m));
      expect(totalOf(values, m, pairs)).toBe(totalOf(values, m, maxAssignment(values, n, m)));
    }),
  );
});

test("maxAssignment() with loose bounds finds the best total in time", () => {
  const values = Float64Array.from({ length: 90_000 }, (_, i) => ((i * 7919) % 10_007) / 10_007);
  const pairs = maxAssignment(new Float64Array(90_000).fill(1), 300, 300, (at) => values[at]!);
  const best = totalOf(values, 300, maxAssignment(values, 300, 300));
  expect(totalOf(values, 300, pairs)).toBeCloseTo(best, 9);
});

test("maxAssignment() requests few values if bounds separate pairs", () => {
  const values = Float64Array.from({ length: 10_000 }, (_, i) => (i % 101 === 0 ? 0.8 : 0.2));
  const bounds = values.map((value) => value + 0.1);
  let asked = 0;
  const pairs = maxAssignment(bounds, 100, 100, (at) => {
    asked++;
    return values[at]!;
  });
  expect([...pairs]).toEqual([...Array(100).keys()]);
  expect(asked).toBe(100);
});

test("maxAssignment() assigns 500 × 400 random values in time", () => {
  const values = Float64Array.from({ length: 200_000 }, (_, i) => ((i * 7919) % 10_007) / 10_007);
  expect([...maxAssignment(values, 500, 400)].filter((j) => j >= 0)).toHaveLength(400);
});

function totalOf(values: Float64Array, columns: number, pairs: Int32Array): number {
  return pairs.reduce((sum, j, i) => (j < 0 ? sum : sum + values[i * columns + j]!), 0);
}

/** Tries every injective choice of columns; omits rows if there are more rows than columns. */
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
