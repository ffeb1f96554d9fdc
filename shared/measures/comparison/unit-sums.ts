import { mean } from "../../stats/significance/moments.ts";
import type { CommonSamples } from "./common-samples.ts";
import { sharedColumn, type TableColumn } from "./score-table.ts";

/** A ratio of one run by unit: over any set of units its value is Σ of / Σ over. */
export interface UnitSums {
  of: Float64Array;
  over: Float64Array;
}

/**
 * Sums over the units of common samples, by run, for the metric's own column or its parts. Equal weights share one
 * `over`. Linear, except for finding equal weights.
 * @example unitSums(common)[0]?.[0]?.over // how many samples each unit holds
 */
export function unitSums({ parts, units, unitOf }: CommonSamples): UnitSums[][] {
  const sums = (values: Float64Array) => {
    if (units.kind === "samples") return values;
    const found = new Float64Array(units.count);
    for (let i = 0; i < unitOf.length; i++) found[unitOf[i]!]! += values[i]!;
    return found;
  };
  const sizes = sums(new Float64Array(unitOf.length).fill(1));
  const weights = [sizes];
  const weightsOf = ({ over }: TableColumn) =>
    over === null ? sizes : sharedColumn(weights, sums(over));
  return parts.map((columns) =>
    columns.map((column) => ({ of: sums(column.of), over: weightsOf(column) })),
  );
}

/**
 * The value over all units, Σ of / Σ over; null if the denominator is zero.
 * @example ratioOf({ of: Float64Array.of(1, 2), over: Float64Array.of(2, 2) }) // 0.75
 */
export function ratioOf({ of, over }: UnitSums): number | null {
  const divisor = total(over);
  return divisor === 0 ? null : total(of) / divisor;
}

/**
 * A value by unit whose mean is the metric and whose spread is that of the metric: value + (of − value · over) / mean
 * over. Tests of a mean are therefore valid for a ratio of sums, and for sources of unequal size. For plain means it
 * is the score itself.
 * Source: Cochran 1977, Sampling Techniques, chapter 6 (linearised ratio estimator).
 * @example linearised({ of: Float64Array.of(0.5, 1), over: Float64Array.of(1, 1) }) // [0.5, 1]
 */
export function linearised(sums: UnitSums): Float64Array {
  const { of, over } = sums;
  if (over.every((weight) => weight === 1)) return of;
  const value = ratioOf(sums);
  if (value === null) return of;
  const weight = mean(over);
  return of.map((part, i) => value + (part - value * over[i]!) / weight);
}

/**
 * Differences of two runs by unit under the hypothesis that they are equal: (of − of) − r · (over − over), with r the
 * pooled ratio. Zero in units with equal results, as signed ranks require. For plain means it is the difference of
 * the sums.
 * @example unitDifferences(a, b) // [0.5, 0, -0.25]
 */
export function unitDifferences(a: UnitSums, b: UnitSums): Float64Array {
  const made = new Float64Array(a.of.length);
  const ratio = a.over === b.over ? 0 : (pooledRatio(a, b) ?? 1);
  for (let i = 0; i < made.length; i++) {
    const difference = a.of[i]! - b.of[i]!;
    made[i] = ratio === 0 ? difference : difference - ratio * (a.over[i]! - b.over[i]!);
  }
  return made;
}

/**
 * The pooled ratio of two runs; null if the denominator is zero.
 * @example pooledRatio(a, b) // 0.8
 */
export function pooledRatio(a: UnitSums, b: UnitSums): number | null {
  const divisor = total(a.over) + total(b.over);
  return divisor === 0 ? null : (total(a.of) + total(b.of)) / divisor;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
}
