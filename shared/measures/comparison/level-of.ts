/** Below this, a corrected p says that two runs differ. */
const SIGNIFICANT = 0.05;

/**
 * The smallest of 0.01 and 0.05 that a corrected p lies below; null where it lies below neither, and without
 * a test.
 * Source: docs/spec/statistics.md, many models.
 * @example levelOf(0.02) // 0.05
 */
export function levelOf(p: number | null): 0.01 | 0.05 | null {
  if (p === null || p >= SIGNIFICANT) return null;
  return p < 0.01 ? 0.01 : 0.05;
}
