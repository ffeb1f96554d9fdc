import type { Composite } from "../../contracts/suite.ts";
import { mean } from "../../stats/significance/moments.ts";
import { pooledRatio, ratioOf, type UnitSums } from "./unit-sums.ts";

/**
 * The value of a composite metric over all units; null if it is undefined.
 * @example compositeOf(parts, { parts: ["f1", "time"], value: ([f1, time]) => f1! - time! / 500 }) // 0.4
 */
export function compositeOf(parts: readonly UnitSums[], composite: Composite): number | null {
  return composite.value(parts.map(ratioOf));
}

/**
 * `linearised` for composites: a value by unit whose mean is the composite and whose spread equals the composite's to
 * first order: value + Σ slope of a part · (of − ratio · over) / mean over. A unit without weight in a part contributes
 * nothing to it. O(units · parts). Zeros for a composite without a value.
 * Source: Cochran 1977, Sampling Techniques, chapter 6; Wolter 2007, Introduction to Variance
 * Estimation, chapter 6 (Taylor series).
 * @example linearisedComposite(parts, composite) // [0.7, 0.3], of mean 0.5
 */
export function linearisedComposite(
  parts: readonly UnitSums[],
  composite: Composite,
): Float64Array {
  const ratios = parts.map(ratioOf);
  const found = new Float64Array(parts[0]?.of.length ?? 0).fill(composite.value(ratios) ?? 0);
  slopes((values) => composite.value(values), ratios).forEach((slope, k) => {
    if (slope === 0) return;
    const { of, over } = parts[k]!;
    const [ratio, weight] = [ratios[k]!, mean(over)];
    for (let i = 0; i < found.length; i++) {
      found[i]! += slope * ((of[i]! - ratio * over[i]!) / weight);
    }
  });
  return found;
}

/**
 * `unitDifferences` for composites: differences of two runs by unit under the hypothesis that they are equal, each
 * part at the pooled ratio of both runs. Zero in units with equal results. O(units · parts).
 * @example compositeDifferences(a, b, composite) // [0.2, 0, -0.1]
 */
export function compositeDifferences(
  a: readonly UnitSums[],
  b: readonly UnitSums[],
  composite: Composite,
): Float64Array {
  const ratios = a.map((part, k) => pooledRatio(part, b[k]!));
  const found = new Float64Array(a[0]?.of.length ?? 0);
  slopes((values) => composite.value(values), ratios).forEach((slope, k) => {
    if (slope === 0) return;
    const [x, y] = [a[k]!, b[k]!];
    const [ratio, scale] = [ratios[k]!, (2 * slope) / (mean(x.over) + mean(y.over))];
    for (let i = 0; i < found.length; i++) {
      found[i]! += scale * (x.of[i]! - y.of[i]! - ratio * (x.over[i]! - y.over[i]!));
    }
  });
  return found;
}

/** Relative step: the cube root of a double's precision, which is optimal for central differences. */
const STEP = 2 ** -17;

/**
 * If the slopes to both sides differ by a larger share, the point is a corner: on a smooth curve they differ by about
 * the step.
 */
const CORNER = 1e-3;

/**
 * By value, the slope of `figure` at `values`: central differences; at a corner, such as a clipping point, the
 * steeper side. 0 for a null value, and if `figure` is undefined on either side. O(values · cost of the figure).
 * Source: Nocedal and Wright 2006, Numerical Optimization, section 8.1 (finite differences).
 * @example slopes(([a, b]) => Math.max(0, a!) + 2 * b!, [0, 0.5]) // [1, 2]
 */
export function slopes(
  figure: (values: readonly (number | null)[]) => number | null,
  values: readonly (number | null)[],
): number[] {
  return values.map((value, k) => {
    if (value === null) return 0;
    return slopeAt(value, (moved) => figure(values.with(k, moved)) ?? Number.NaN);
  });
}

function slopeAt(value: number, figure: (value: number) => number): number {
  const step = STEP * (Math.abs(value) || 1);
  const [low, high] = [value - step, value + step];
  const [below, here, above] = [figure(low), figure(value), figure(high)];
  const [falling, rising] = [(here - below) / (value - low), (above - here) / (high - value)];
  if (!Number.isFinite(falling)) return Number.isFinite(rising) ? rising : 0;
  if (!Number.isFinite(rising)) return falling;
  const steeper = Math.abs(falling) > Math.abs(rising) ? falling : rising;
  const isCorner = Math.abs(rising - falling) > CORNER * Math.abs(steeper);
  return isCorner ? steeper : (above - below) / (high - low);
}
