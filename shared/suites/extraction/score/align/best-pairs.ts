import { maxAssignment } from "../../../../measures/assignment.ts";

/** The similarities of the elements of two arrays, 0–1, worked out when asked for. */
export interface PairValues {
  n: number;
  m: number;
  exact(i: number, j: number): number;
  /** The most that a similarity can be, many times faster. */
  bound(i: number, j: number): number;
  /** Whether bounds have to stand in for what was not compared yet. */
  isSpent(): boolean;
  /** Counts what the comparison of a pair costs. */
  spend(i: number, j: number): void;
}

/** Weight of staying near one's index, and of keeping the order: they only decide between equals. */
const nearWeight = 1e-6;
const orderWeight = 1e-9;

/** Similarities out of place that are worked out for each element before all of them are. */
const maxCrossed = 2;

/**
 * Whether pairing by position is the best alignment there is, found without trying others: no two
 * elements come closer to each other than what both come to in place comes to on average. The sum over
 * any other alignment is then at most the sum in place, and nearness decides. False where that takes
 * too many similarities. O(n²) bounds.
 * @example isBestInPlace(values) // true where each element is most like the one at its place
 */
export function isBestInPlace(values: PairValues): boolean {
  const { n, m } = values;
  if (n !== m) return false;
  const inPlace = Array.from({ length: n }, (_, i) => values.exact(i, i));
  let left = maxCrossed * n;
  const isCloser = (i: number, j: number, limit: number) => {
    if (values.bound(i, j) <= limit) return false;
    return left-- <= 0 || values.exact(i, j) > limit;
  };
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const limit = (inPlace[i]! + inPlace[j]!) / 2;
      if (limit < 1 && (isCloser(i, j, limit) || isCloser(j, i, limit))) return false;
    }
  }
  return true;
}

/**
 * 0, 1, … `count` − 1.
 * @example indices(2) // [0, 1]
 */
export function indices(count: number): Int32Array {
  return new Int32Array(count).map((_, i) => i);
}

/**
 * For each of `n` rows the column at the same place of `m`, or −1.
 * @example inPlace(3, 2) // [0, 1, -1]
 */
export function inPlace(n: number, m: number): Int32Array {
  return indices(n).map((i) => (i < m ? i : -1));
}

/**
 * For each of `rows` (expected) the place in `columns` (predicted) it is paired with, or −1: the pairs with
 * the largest total of similarity + 1e-6·nearness + 1e-9·order.
 * Source: docs/spec/extraction.md, section 2.4.
 * @example bestPairs(values, indices(2), indices(2)) // [1, 0]
 */
export function bestPairs(values: PairValues, rows: Int32Array, columns: Int32Array): Int32Array {
  if (rows.length === 1 && columns.length === 1) return Int32Array.of(0);
  const { n, m } = values;
  const preference = (i: number, j: number) =>
    nearWeight * (1 - Math.abs(i - j) / Math.max(n, m)) +
    (orderWeight * ((i + 1) * (j + 1))) / (n * m);
  const bounds = new Float64Array(rows.length * columns.length);
  let at = 0;
  for (const i of rows) {
    for (const j of columns) bounds[at++] = values.bound(i, j) + preference(i, j);
  }
  return maxAssignment(bounds, rows.length, columns.length, (at) => {
    if (values.isSpent()) return bounds[at]!;
    const [i, j] = [rows[Math.floor(at / columns.length)]!, columns[at % columns.length]!];
    values.spend(i, j);
    return values.exact(i, j) + preference(i, j);
  });
}
