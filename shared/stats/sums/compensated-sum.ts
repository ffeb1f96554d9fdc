/** Running sums, each followed by its rounding error: plain numbers, so that they can be stored as JSON. */
export type CompensatedSums = number[];

/**
 * `count` sums, all 0.
 * @example sumOf(noSums()) // 0
 */
export const noSums = (count = 1): CompensatedSums => new Array<number>(2 * count).fill(0);

/**
 * Adds a finite number to the sum at index `k`. Changes `sums`.
 * Source: Neumaier 1974, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen.
 * @example addTo(sums, 0.1)
 */
export function addTo(sums: CompensatedSums, value: number, k = 0): void {
  const before = sums[2 * k]!;
  const sum = before + value;
  sums[2 * k] = sum;
  sums[2 * k + 1]! +=
    Math.abs(before) >= Math.abs(value) ? before - sum + value : value - sum + before;
}

/**
 * Adds a number to each sum, in order. Changes `sums`.
 * @example addEach(noSums(2), [1, 0.5])
 */
export function addEach(sums: CompensatedSums, values: readonly number[]): void {
  for (let k = 0; k < values.length; k++) addTo(sums, values[k]!, k);
}

/**
 * The sum at index `k`. Its error is one rounding plus about n² · 10⁻³² of the sum of the absolute addends.
 * @example sumOf([3, 0]) // 3
 */
export const sumOf = (sums: CompensatedSums, k = 0): number => sums[2 * k]! + sums[2 * k + 1]!;

/**
 * All sums, in order.
 * @example eachSum([3, 0, 0.5, 0]) // [3, 0.5]
 */
export const eachSum = (sums: CompensatedSums): number[] =>
  Array.from({ length: sums.length / 2 }, (_, k) => sumOf(sums, k));
