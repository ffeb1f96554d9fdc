/** A figure from the sums of the columns; null where it can't be worked out, as 0/0. */
export type Statistic = (sums: Float64Array) => number | null;

/**
 * Figures from the sums of the columns, computed together: a function for each would put every number on the heap,
 * millions of times in a bootstrap.
 */
export interface Statistics {
  count: number;
  /** Writes the figures into `into`, the first at `from`; NaN for one that can't be worked out. */
  write(sums: Float64Array, into: Float64Array, from: number): void;
}

/**
 * Statistics one by one, for what is too special to be written together.
 * @example combineStatistics([(sums) => sums[0]!]).count // 1
 */
export const combineStatistics = (list: readonly Statistic[]): Statistics => ({
  count: list.length,
  write(sums, into, from) {
    for (let k = 0; k < list.length; k++) into[from + k] = list[k]!(sums) ?? Number.NaN;
  },
});

/**
 * Sums over sums, by the places of their columns; over a sum that is 0 there is none.
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
