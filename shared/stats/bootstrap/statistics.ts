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

/** For `combineStatistics`: the joint figures that a statistic belongs to, and its index in them. */
const wholes = new WeakMap<Statistic, { whole: Statistics; place: number }>();

/**
 * Splits joint figures into single statistics. `combineStatistics` computes them together again.
 * @example eachOf(ratiosOf([[0, 1]]))[0]?.(Float64Array.of(1, 4)) // 0.25
 */
export function eachOf(whole: Statistics): Statistic[] {
  const figures = new Float64Array(whole.count);
  return Array.from(figures, (_, place) => {
    const statistic: Statistic = (sums) => {
      whole.write(sums, figures, 0);
      const figure = figures[place]!;
      return Number.isNaN(figure) ? null : figure;
    };
    wholes.set(statistic, { whole, place });
    return statistic;
  });
}

/**
 * Combines single statistics; a complete sequence from one `eachOf`, in order, is computed together.
 * @example combineStatistics([(sums) => sums[0]!]).count // 1
 */
export function combineStatistics(list: readonly Statistic[]): Statistics {
  const steps: Statistics[] = [];
  for (let k = 0; k < list.length; k += steps.at(-1)!.count) steps.push(stepAt(list, k));
  return {
    count: list.length,
    write(sums, into, from) {
      let at = from;
      for (let s = 0; s < steps.length; s++) {
        steps[s]!.write(sums, into, at);
        at += steps[s]!.count;
      }
    },
  };
}

/** The joint figures that start at index `from`, or the single statistics from there on. */
function stepAt(list: readonly Statistic[], from: number): Statistics {
  const whole = wholeAt(list, from);
  if (whole !== null) return whole;
  const end = list.findIndex((_, k) => k > from && wholeAt(list, k) !== null);
  const single = list.slice(from, end === -1 ? list.length : end);
  return {
    count: single.length,
    write(sums, into, at) {
      for (let k = 0; k < single.length; k++) into[at + k] = single[k]!(sums) ?? Number.NaN;
    },
  };
}

function wholeAt(list: readonly Statistic[], from: number): Statistics | null {
  const whole = wholes.get(list[from]!)?.whole;
  if (whole === undefined) return null;
  const isThere = (place: number) => {
    const its = list[from + place];
    const known = its && wholes.get(its);
    return known?.whole === whole && known.place === place;
  };
  return Array.from({ length: whole.count }, (_, place) => place).every(isThere) ? whole : null;
}

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
