import { batchSize, type Figures } from "./bootstrap.ts";
import { sumResamples } from "./column-sums.ts";
import { packColumns, unpackSum } from "./pack-columns.ts";
import type { Statistics } from "./statistics.ts";

/** Items in groups that may overlap; each item is drawn with its unit. */
export interface GroupedItems {
  /** One number for each item, by column. */
  columns: readonly Float64Array[];
  /** Unit of resampling of each item, from 0: its sample or its cluster. */
  unitOf: ArrayLike<number>;
  units: number;
  /** The items of each group. */
  groups: readonly ArrayLike<number>[];
}

/**
 * `sumFigures` for groups of items: the figures of each group, all from the same resamples of all units; a group uses
 * its items that were drawn. Items that belong to the same groups are summed once for all of them, so overlapping
 * groups cost little extra. O(items · columns + groups · kinds of items · columns) a resample.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example groupFigures({ columns: [scores, ones], unitOf, units: 9, groups: [[0, 1], [1, 2]] }, ratiosOf([[0, 1]]))
 */
export function groupFigures(items: GroupedItems, statistics: Statistics): Figures {
  const { order, starts, cellsOf } = cellsIn(items.groups);
  const unitOf = Int32Array.from(order, (item) => items.unitOf[item]!);
  const columns = items.columns.map((column) => Float64Array.from(order, (item) => column[item]!));
  const packs = packColumns(columns, (column) => greatestSum(column, unitOf, items.units)).map(
    (pack) => ({ ...pack, totals: new Float64Array((starts.length - 1) * batchSize) }),
  );
  const weights = Array.from({ length: batchSize }, () => new Float64Array(order.length));
  const sums = new Float64Array(columns.length);
  const count = cellsOf.length * statistics.count;
  return {
    count,
    evaluate(batch, into) {
      for (let r = 0; r < batchSize; r++) weigh(batch[r]!, unitOf, weights[r]!);
      sumResamples(weights, packs, starts);
      for (let r = 0; r < batchSize; r++) {
        let at = r * count;
        for (const cells of cellsOf) {
          for (const { totals, digits } of packs) unpackSum(sumOf(totals, cells, r), digits, sums);
          statistics.write(sums, into, at);
          at += statistics.count;
        }
      }
    },
  };
}

/**
 * Items that belong to the same groups form a cell. Returns all items of any group, cell by cell, and the cells of
 * each group.
 */
function cellsIn(groups: readonly ArrayLike<number>[]) {
  const groupsOf = new Map<number, number[]>();
  groups.forEach((group, g) => {
    for (const item of Array.from(group)) groupsOf.set(item, [...(groupsOf.get(item) ?? []), g]);
  });
  const cells = new Map<string, { groups: number[]; items: number[] }>();
  for (const [item, its] of groupsOf) {
    const cell = cells.get(its.join()) ?? { groups: its, items: [] };
    cells.set(its.join(), cell);
    cell.items.push(item);
  }
  const all = [...cells.values()];
  const cellsOf: number[][] = groups.map(() => []);
  const starts = new Int32Array(all.length + 1);
  all.forEach((cell, c) => {
    starts[c + 1] = starts[c]! + cell.items.length;
    for (const g of cell.groups) cellsOf[g]!.push(c);
  });
  return {
    order: all.flatMap((cell) => cell.items),
    starts,
    cellsOf: cellsOf.map((its) => Int32Array.from(its)),
  };
}

/** Upper bound for the sum of a column in a resample: the largest value in every draw. */
function greatestSum(column: Float64Array, unitOf: Int32Array, units: number): number {
  const byUnit = new Float64Array(units);
  for (let i = 0; i < column.length; i++) byUnit[unitOf[i]!]! += column[i]!;
  return byUnit.reduce((most, sum) => Math.max(most, sum), 0) * units;
}

function weigh(times: Float64Array, unitOf: Int32Array, into: Float64Array): void {
  for (let i = 0; i < into.length; i++) into[i] = times[unitOf[i]!]!;
}

function sumOf(totals: Float64Array, cells: Int32Array, r: number): number {
  let sum = 0;
  for (let i = 0; i < cells.length; i++) sum += totals[cells[i]! * batchSize + r]!;
  return sum;
}
