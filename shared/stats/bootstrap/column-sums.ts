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
 * next one; `weights` contain how often each resample drew a unit. O(units · columns), three columns in a pass.
 * @example sumResamples(weights, [scores, lengths], Int32Array.of(0, 3)) // one cell of three units
 */
export function sumResamples(
  weights: readonly Float64Array[],
  columns: readonly Summed[],
  starts: Int32Array,
): void {
  const threes = columns.length - (columns.length % 3);
  for (let k = 0; k < threes; k += 3) {
    const [a, b, c] = [columns[k]!, columns[k + 1]!, columns[k + 2]!];
    addThree(weights, starts, a.values, b.values, c.values, a.totals, b.totals, c.totals);
  }
  for (let k = threes; k < columns.length; k++) {
    addOne(weights, starts, columns[k]!.values, columns[k]!.totals);
  }
}

/**
 * Twelve independent sums in a pass, as many as the processor has registers for. Accepts only typed arrays: code
 * compiled for other objects is discarded when the last of them is collected, and must be compiled again in the next
 * run.
 */
function addThree(
  weights: readonly Float64Array[],
  starts: Int32Array,
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  sumsA: Float64Array,
  sumsB: Float64Array,
  sumsC: Float64Array,
): void {
  const [p, q, r, s] = weights as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let cell = 1, at = 0; cell < starts.length; cell++, at += 4) {
    let [ap, aq, ar, as, bp, bq, br, bs, cp, cq, cr, cs] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const end = starts[cell]!;
    for (let i = starts[cell - 1]!; i < end; i++) {
      const times = p[i]!;
      const timesQ = q[i]!;
      const timesR = r[i]!;
      const timesS = s[i]!;
      const x = a[i]!;
      ap += x * times;
      aq += x * timesQ;
      ar += x * timesR;
      as += x * timesS;
      const y = b[i]!;
      bp += y * times;
      bq += y * timesQ;
      br += y * timesR;
      bs += y * timesS;
      const z = c[i]!;
      cp += z * times;
      cq += z * timesQ;
      cr += z * timesR;
      cs += z * timesS;
    }
    put(sumsA, at, ap, aq, ar, as);
    put(sumsB, at, bp, bq, br, bs);
    put(sumsC, at, cp, cq, cr, cs);
  }
}

function addOne(
  weights: readonly Float64Array[],
  starts: Int32Array,
  values: Float64Array,
  into: Float64Array,
): void {
  const [p, q, r, s] = weights as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let cell = 1, at = 0; cell < starts.length; cell++, at += 4) {
    let [sumP, sumQ, sumR, sumS] = [0, 0, 0, 0];
    const end = starts[cell]!;
    for (let i = starts[cell - 1]!; i < end; i++) {
      const x = values[i]!;
      sumP += x * p[i]!;
      sumQ += x * q[i]!;
      sumR += x * r[i]!;
      sumS += x * s[i]!;
    }
    put(into, at, sumP, sumQ, sumR, sumS);
  }
}

function put(into: Float64Array, at: number, p: number, q: number, r: number, s: number): void {
  into[at] = p;
  into[at + 1] = q;
  into[at + 2] = r;
  into[at + 3] = s;
}
