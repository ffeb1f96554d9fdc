import { maxAssignment } from "./assignment.ts";

/** Pairs of a row and a column with a value above 0, each pair once. */
export interface SparseValues {
  rows: number[];
  columns: number[];
  values: number[];
}

/** Maximum steps of the exact assignments of all groups together: a few seconds. */
const maxSteps = 1e9;

/** Maximum of rows times columns for an exact assignment. */
const maxGroup = 160_000;

/** A group of rows and columns without pairs to other groups. */
interface Group {
  rows: number[];
  columns: number[];
  pairs: number[];
}

/**
 * Assigns rows to columns with few non-zero pairs; returns for each row its column, or −1. Connected groups are
 * assigned separately: with the largest total up to 400 × 400, within their share of a billion steps; larger ones
 * greedily, the largest value first, and of equal values the pair nearest in position, then the first. O(pairs·log
 * pairs) plus these steps.
 * @example sparseAssignment({ rows: [0, 1], columns: [1, 1], values: [1, 2] }, 2, 2) // [-1, 1]
 */
export function sparseAssignment(
  pairs: SparseValues,
  rowCount: number,
  columnCount: number,
): Int32Array {
  const columnOf = new Int32Array(rowCount).fill(-1);
  const greedy: number[] = [];
  for (const group of groupsOf(pairs, rowCount, columnCount)) {
    if (isSmall(group, rowCount + columnCount)) assignGroup(group, pairs, columnOf);
    else for (const pair of group.pairs) greedy.push(pair);
  }
  assignGreedily(greedy, pairs, columnOf, columnCount);
  return columnOf;
}

function isSmall({ rows, columns }: Group, total: number): boolean {
  const entries = rows.length * columns.length;
  const share = (rows.length + columns.length) / total;
  return entries <= maxGroup && entries * Math.min(rows.length, columns.length) <= maxSteps * share;
}

function groupsOf({ rows, columns }: SparseValues, rowCount: number, columnCount: number): Group[] {
  const parent = new Int32Array(rowCount + columnCount).map((_, k) => k);
  const rootOf = (k: number) => {
    while (parent[k] !== k) {
      parent[k] = parent[parent[k]!]!;
      k = parent[k]!;
    }
    return k;
  };
  rows.forEach((row, pair) => {
    const [a, b] = [rootOf(row), rootOf(rowCount + columns[pair]!)];
    parent[Math.max(a, b)] = Math.min(a, b);
  });
  const groups = new Map<number, Group>();
  const groupOf = (k: number) => {
    const root = rootOf(k);
    const group = groups.get(root) ?? { rows: [], columns: [], pairs: [] };
    groups.set(root, group);
    return group;
  };
  for (let row = 0; row < rowCount; row++) groupOf(row).rows.push(row);
  for (let column = 0; column < columnCount; column++) {
    groupOf(rowCount + column).columns.push(column);
  }
  rows.forEach((row, pair) => {
    groupOf(row).pairs.push(pair);
  });
  return [...groups.values()].filter(({ pairs }) => pairs.length > 0);
}

/** Smaller than any relevant difference of values; of equal totals, prefers the nearest pairs. */
const nearWeight = 1e-6;

function assignGroup(
  { rows, columns, pairs: own }: Group,
  pairs: SparseValues,
  columnOf: Int32Array,
) {
  const rowAt = new Map(rows.map((row, at) => [row, at]));
  const columnAt = new Map(columns.map((column, at) => [column, at]));
  const matrix = new Float64Array(rows.length * columns.length);
  const longest = Math.max(rows.at(-1)!, columns.at(-1)!) + 1;
  for (const pair of own) {
    const [row, column] = [pairs.rows[pair]!, pairs.columns[pair]!];
    const near = nearWeight * (1 - Math.abs(row - column) / longest);
    matrix[rowAt.get(row)! * columns.length + columnAt.get(column)!] = pairs.values[pair]! + near;
  }
  maxAssignment(matrix, rows.length, columns.length).forEach((at, row) => {
    if (at < 0 || matrix[row * columns.length + at] === 0) return;
    columnOf[rows[row]!] = columns[at]!;
  });
}

function assignGreedily(
  own: number[],
  { rows, columns, values }: SparseValues,
  columnOf: Int32Array,
  columnCount: number,
): void {
  const away = (pair: number) => Math.abs(rows[pair]! - columns[pair]!);
  const order = Uint32Array.from(own).sort(
    (a, b) => values[b]! - values[a]! || away(a) - away(b) || a - b,
  );
  const taken = new Uint8Array(columnCount);
  for (const pair of order) {
    const [row, column] = [rows[pair]!, columns[pair]!];
    if (columnOf[row]! >= 0 || taken[column] === 1) continue;
    columnOf[row] = column;
    taken[column] = 1;
  }
}
