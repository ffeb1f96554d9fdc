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
): (batch: readonly Int32Array[]) => readonly Float64Array[] {
  const varying = [...columns.keys()].filter((k) => columns[k]!.some((v) => v !== columns[k]![0]));
  const packs = packColumns(varying.map((k) => columns[k]!)).map(({ values, digits }) => ({
    values,
    digits: digits.map(({ column, worth }) => ({ column: varying[column]!, worth })),
    totals: new Float64Array(batchSize),
  }));
  const constant = columns.map((column) => column.length * (column[0] ?? 0));
  const sums = Array.from({ length: batchSize }, () => Float64Array.from(constant));
  const units = columns[0]?.length ?? 0;
  const weights = Array.from({ length: batchSize }, () => new Float64Array(units));
  return (batch) => {
    for (let r = 0; r < (packs.length > 0 ? batchSize : 0); r++) weights[r]!.set(batch[r]!);
    for (let k = 0; k < packs.length; k += 2) {
      addUp(weights, packs[k]!, packs[Math.min(k + 1, packs.length - 1)]!);
    }
    for (const { totals, digits } of packs) {
      for (let r = 0; r < batchSize; r++) unpackSum(totals[r]!, digits, sums[r]!);
    }
    return sums;
  };
}

/** A column, and its sum in each resample of a batch. */
interface Summed {
  values: Float64Array;
  totals: Float64Array;
}

/** Two columns over four resamples in one pass: eight sums, none of which waits for another. */
function addUp(weights: readonly Float64Array[], first: Summed, second: Summed): void {
  const [p, q, r, s] = weights as [Float64Array, Float64Array, Float64Array, Float64Array];
  const [a, b] = [first.values, second.values];
  let [ap, aq, ar, as, bp, bq, br, bs] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    ap += x * p[i]!;
    aq += x * q[i]!;
    ar += x * r[i]!;
    as += x * s[i]!;
    bp += y * p[i]!;
    bq += y * q[i]!;
    br += y * r[i]!;
    bs += y * s[i]!;
  }
  first.totals.set([ap, aq, ar, as]);
  second.totals.set([bp, bq, br, bs]);
}
