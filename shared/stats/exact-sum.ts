/** What each part of a sum is worth, largest first. */
const worths = [2 ** 26, 1, 2 ** -26, 2 ** -52, 2 ** -78] as const;

/**
 * A sum in five whole numbers (multiples of 2²⁶, 1, 2⁻²⁶, 2⁻⁵² and 2⁻⁷⁸), each exact whatever the order
 * of adding: addends are 0 to 2⁵², up to a hundred million of them, and nothing of one from 2⁻²⁵ is lost.
 */
export type ExactSum = [number, number, number, number, number];

/**
 * The sum of nothing.
 * @example exactValue(noSum()) // 0
 */
export function noSum(): ExactSum {
  return [0, 0, 0, 0, 0];
}

/**
 * Adds `value` (≥ 0) to `sum`, `times` times.
 * @example addExact(sum, 0.1)
 */
export function addExact(sum: ExactSum, value: number, times = 1): void {
  let rest = value;
  for (let k = 0; k < worths.length; k++) {
    const part = Math.floor(rest / worths[k]!);
    sum[k]! += part * times;
    rest -= part * worths[k]!;
  }
}

/**
 * Adds one sum to another.
 * @example mergeExact(sum, other)
 */
export function mergeExact(sum: ExactSum, other: ExactSum): void {
  for (let k = 0; k < sum.length; k++) sum[k]! += other[k]!;
}

/**
 * The sum as a number, the same for the same addends in any order.
 * @example exactValue([0, 3, 0, 0, 0]) // 3
 */
export function exactValue(sum: ExactSum): number {
  return worths.reduceRight((total, worth, k) => total + sum[k]! * worth, 0);
}
