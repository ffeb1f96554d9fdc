import { addUp } from "./add-up.ts";
import { batchSize } from "./bootstrap.ts";
import { packColumns, unpackSum } from "./pack-columns.ts";

/**
 * Sums columns of one number a unit over resamples: the returned function takes how often each unit
 * was drawn in `batchSize` resamples, and gives the sums of each resample by column, in arrays that it
 * uses again. Columns of one value cost nothing, columns of small whole numbers share passes.
 * O(units · columns) a resample.
 * @example columnSums([Float64Array.of(1, 2)])(batch)[0] // [2] where the first unit was drawn twice
 */
export function columnSums(
  columns: readonly Float64Array[],
): (batch: readonly Float64Array[]) => readonly Float64Array[] {
  const varying = [...columns.keys()].filter((k) => columns[k]!.some((v) => v !== columns[k]![0]));
  const packs = packColumns(varying.map((k) => columns[k]!)).map(({ values, digits }) => ({
    values,
    digits: digits.map(({ columns: its, worth }) => ({
      columns: its.map((k) => varying[k]!),
      worth,
    })),
    totals: new Float64Array(batchSize),
  }));
  const constant = columns.map((column) => column.length * (column[0] ?? 0));
  const sums = Array.from({ length: batchSize }, () => Float64Array.from(constant));
  const oneCell = Int32Array.of(0, columns[0]?.length ?? 0);
  return (batch) => {
    addUp(batch, packs, oneCell);
    for (const { totals, digits } of packs) {
      for (let r = 0; r < batchSize; r++) unpackSum(totals[r]!, digits, sums[r]!);
    }
    return sums;
  };
}
