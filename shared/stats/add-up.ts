/** Numbers by unit, the units of a cell beside each other, and their sums. */
export interface Summed {
  values: Float64Array;
  /** By cell, of each of four resamples. */
  totals: Float64Array;
}

/**
 * Sums two columns over four resamples, cell by cell: a cell's units go from its place in `starts` to the next one;
 * `weights` say how often each resample drew a unit. O(units), eight sums in a pass, none of which waits for another.
 * @example addUp(weights, first, second, Int32Array.of(0, 3)) // one cell of three units
 */
export function addUp(
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
