/** A figure computed from the sums of the columns; null if undefined, such as 0/0. */
export type Statistic = (sums: Float64Array) => number | null;

/**
 * Several figures computed from the sums of the columns by one function. With a function for each figure, every
 * number would be allocated on the heap, millions of times in a bootstrap.
 */
export interface Statistics {
  count: number;
  /** Writes the figures into `into`, starting at `from`; NaN for an undefined one. */
  write(sums: Float64Array, into: Float64Array, from: number): void;
}

/**
 * Combines single statistics, for figures that have no common formula.
 * @example combineStatistics([(sums) => sums[0]!]).count // 1
 */
export const combineStatistics = (list: readonly Statistic[]): Statistics => ({
  count: list.length,
  write(sums, into, from) {
    for (let k = 0; k < list.length; k++) into[from + k] = list[k]!(sums) ?? Number.NaN;
  },
});

/**
 * Ratios of two sums, by column index; undefined if the denominator is 0.
 * @example ratiosOf([[0, 1]]).write(Float64Array.of(1, 4), into, 0) // into: [0.25]
 */
export function ratiosOf(pairs: readonly (readonly [of: number, over: number])[]): Statistics {
  const of = Int32Array.from(pairs, ([place]) => place);
  const over = Int32Array.from(pairs, ([, place]) => place);
  return {
    count: pairs.length,
    write(sums, into, from) {
      for (let k = 0; k < of.length; k++) {
        const whole = sums[over[k]!]!;
        into[from + k] = whole === 0 ? Number.NaN : sums[of[k]!]! / whole;
      }
    },
  };
}
