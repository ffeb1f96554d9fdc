import { batchSize } from "./bootstrap.ts";
import { packColumns, unpackSum } from "./pack-columns.ts";

/**
 * Sums columns, one number a unit, over resamples. The returned function takes how often each unit was drawn in
 * `batchSize` resamples and returns the sums of each resample by column, in reused arrays. Constant columns are not
 * summed; columns of small whole numbers share passes. O(units · columns) a resample.
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
    sumResamples(batch, packs, oneCell);
    for (const { totals, digits } of packs) {
      for (let r = 0; r < batchSize; r++) unpackSum(totals[r]!, digits, sums[r]!);
    }
    return sums;
  };
}

/** Numbers by unit, with the units of a cell adjacent, and their sums. */
interface Summed {
  values: Float64Array;
  /** By cell, for each of four resamples. */
  totals: Float64Array;
}

/**
 * Sums columns over four resamples, cell by cell. A cell's units begin at its position in `starts` and end before the
 * next one; `weights` contain how often each resample drew a unit. O(units · columns), two columns in a pass.
 * @example sumResamples(weights, [scores, lengths], Int32Array.of(0, 3)) // one cell of three units
 */
export function sumResamples(
  weights: readonly Float64Array[],
  columns: readonly Summed[],
  starts: Int32Array,
): void {
  for (let k = 0; k + 1 < columns.length; k += 2) {
    addTwo(weights, columns[k]!, columns[k + 1]!, starts);
  }
  if (columns.length % 2 === 1) addOne(weights, columns.at(-1)!, starts);
}

/** Eight independent sums in a pass, so that the processor can run them in parallel. */
function addTwo(
  weights: readonly Float64Array[],
  first: Summed,
  second: Summed,
  starts: Int32Array,
): void {
  const [p, q, r, s] = weights as [Float64Array, Float64Array, Float64Array, Float64Array];
  const [a, b] = [first.values, second.values];
  let at = 0;
  for (let cell = 1; cell < starts.length; cell++) {
    let [ap, aq, ar, as, bp, bq, br, bs] = [0, 0, 0, 0, 0, 0, 0, 0];
    const end = starts[cell]!;
    for (let i = starts[cell - 1]!; i < end; i++) {
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
    first.totals[at] = ap;
    first.totals[at + 1] = aq;
    first.totals[at + 2] = ar;
    first.totals[at + 3] = as;
    second.totals[at] = bp;
    second.totals[at + 1] = bq;
    second.totals[at + 2] = br;
    second.totals[at + 3] = bs;
    at += 4;
  }
}

function addOne(weights: readonly Float64Array[], only: Summed, starts: Int32Array): void {
  const [p, q, r, s] = weights as [Float64Array, Float64Array, Float64Array, Float64Array];
  const { values, totals } = only;
  let at = 0;
  for (let cell = 1; cell < starts.length; cell++) {
    let [sumP, sumQ, sumR, sumS] = [0, 0, 0, 0];
    const end = starts[cell]!;
    for (let i = starts[cell - 1]!; i < end; i++) {
      const x = values[i]!;
      sumP += x * p[i]!;
      sumQ += x * q[i]!;
      sumR += x * r[i]!;
      sumS += x * s[i]!;
    }
    totals[at] = sumP;
    totals[at + 1] = sumQ;
    totals[at + 2] = sumR;
    totals[at + 3] = sumS;
    at += 4;
  }
}
