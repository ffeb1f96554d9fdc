import type { Figures } from "./bootstrap.ts";

/** A figure from the sums of the columns; null where it can't be worked out, as 0/0. */
export type Statistic = (sums: Float64Array) => number | null;

/**
 * Figures that follow from sums: a column holds one number a unit (a sample, or the sum over a
 * cluster), a resample sums every column over the drawn units, and each statistic turns those sums
 * into its figure. So a mean is a sum over a count, and a micro metric the ratio of two sums.
 * O(units · columns) a resample.
 * Source: specification of statistics, bootstrap interval.
 * @example sumFigures([scores, ones], [(sums) => sums[0]! / sums[1]!])
 */
export function sumFigures(
  columns: readonly Float64Array[],
  statistics: readonly Statistic[],
): Figures {
  const sums = new Float64Array(columns.length);
  const varying = [...columns.keys()].filter((k) => columns[k]!.some((v) => v !== columns[k]![0]));
  columns.forEach((column, k) => {
    sums[k] = column.length * (column[0] ?? 0);
  });
  return {
    count: statistics.length,
    evaluate(times, into) {
      for (let k = 0; k < varying.length; k += 4) addUp(columns, varying, k, times, sums);
      for (let k = 0; k < statistics.length; k++) into[k] = statistics[k]!(sums) ?? Number.NaN;
    },
  };
}

/** Four columns a pass, since each sum waits for its own last addition. */
function addUp(
  columns: readonly Float64Array[],
  varying: readonly number[],
  first: number,
  times: Int32Array,
  sums: Float64Array,
): void {
  const at = [0, 1, 2, 3].map((k) => varying[Math.min(first + k, varying.length - 1)]!);
  const [a, b, c, d] = at.map((k) => columns[k]!) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
  for (let i = 0; i < times.length; i++) {
    const t = times[i]!;
    sumA += t * a[i]!;
    sumB += t * b[i]!;
    sumC += t * c[i]!;
    sumD += t * d[i]!;
  }
  sums[at[0]!] = sumA;
  sums[at[1]!] = sumB;
  sums[at[2]!] = sumC;
  sums[at[3]!] = sumD;
}
