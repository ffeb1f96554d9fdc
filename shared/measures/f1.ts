/**
 * `part / whole`, 0–1 for counts of a part; `empty` when the whole is 0.
 * @example ratio(1, 4, 0) // 0.25
 */
export function ratio(part: number, whole: number, empty: number): number {
  return whole === 0 ? empty : part / whole;
}

/**
 * The harmonic mean of precision and recall, 2PR/(P+R), 0–1; 0 when both are 0.
 * Source: van Rijsbergen 1979; docs/spec/extraction.md, section 5.
 * @example f1(0.5, 1) // 0.666…
 */
export function f1(precision: number, recall: number): number {
  const sum = precision + recall;
  return sum === 0 ? 0 : (2 * precision * recall) / sum;
}
