/** Mean of the values, in their unit; NaN when empty. Linear. @example mean([1, 2]) // 1.5 */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/**
 * Variance in the squared unit of the values, over n − `lost` (1: of a sample, 0: of a population);
 * NaN where that is not positive. Two passes, so exact also for a small spread on a large mean.
 * @example variance([1, 3], 1) // 2
 */
export function variance(values: ArrayLike<number>, lost: 0 | 1): number {
  const degrees = values.length - lost;
  if (degrees <= 0) return Number.NaN;
  const centre = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i]! - centre) ** 2;
  return squares / degrees;
}
