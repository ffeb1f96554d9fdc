import { mean } from "../../stats/moments.ts";
import type { CommonSamples } from "./common-samples.ts";

/** A metric of one run by unit: over any units its value is Σ of / Σ over. */
export interface UnitSums {
  of: Float64Array;
  over: Float64Array;
}

/**
 * Sums over the units of common samples, by run; runs that are weighed alike share one `over`. Linear.
 * @example unitSums(common)[0]?.over // how many samples each unit holds
 */
export function unitSums({ columns, units, unitOf }: CommonSamples): UnitSums[] {
  const sums = (values: Float64Array | null) => {
    const found = new Float64Array(units.count);
    for (let i = 0; i < unitOf.length; i++) found[unitOf[i]!]! += values === null ? 1 : values[i]!;
    return found;
  };
  const sizes = sums(null);
  return columns.map(({ of, over }) => ({
    of: sums(of),
    over: over === null ? sizes : sums(over),
  }));
}

/**
 * The value over all units, Σ of / Σ over; 1 where there is nothing to divide by, as of a sample.
 * @example ratioOf({ of: Float64Array.of(1, 2), over: Float64Array.of(2, 2) }) // 0.75
 */
export function ratioOf({ of, over }: UnitSums): number {
  const divisor = total(over);
  return divisor === 0 ? 1 : total(of) / divisor;
}

/**
 * A value by unit whose mean is the metric and whose spread is that of the metric: value + (of − value ·
 * over) / mean over. Tests of a mean so hold for a ratio of sums, too, and for sources of unequal size;
 * for plain means it is the score itself.
 * Source: Cochran 1977, Sampling Techniques, chapter 6 (linearised ratio estimator).
 * @example linearised({ of: Float64Array.of(0.5, 1), over: Float64Array.of(1, 1) }) // [0.5, 1]
 */
export function linearised(sums: UnitSums): number[] {
  const { of, over } = sums;
  if (over.every((weight) => weight === 1)) return [...of];
  const value = ratioOf(sums);
  const weight = mean([...over]);
  if (weight === 0) return [...of];
  return Array.from(of, (part, i) => value + (part - value * over[i]!) / weight);
}

/**
 * Differences of two runs by unit under the hypothesis that they are equal: (of − of) − r · (over − over),
 * r the ratio of both together. Zero where the runs did the same, as signed ranks need it; of plain means
 * it is the difference of the sums.
 * @example unitDifferences(a, b) // [0.5, 0, -0.25]
 */
export function unitDifferences(a: UnitSums, b: UnitSums): number[] {
  if (a.over === b.over) return Array.from(a.of, (of, i) => of - b.of[i]!);
  const [of, over] = [total(a.of) + total(b.of), total(a.over) + total(b.over)];
  const ratio = over === 0 ? 1 : of / over;
  return Array.from(a.of, (of, i) => of - b.of[i]! - ratio * (a.over[i]! - b.over[i]!));
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
