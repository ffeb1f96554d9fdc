/** What slots are counted by: sums over slots, so those of sessions, users or topics add up. */
export interface SlotCounts {
  /** Expected and stored with at least one value. */
  tp: number;
  /** Stored, not expected: extra slots. */
  fp: number;
  /** Expected, nothing stored. */
  fn: number;
  /** Of `tp`, those with equal canonical value sets. */
  exact: number;
  /** Tokens of the expected slots. */
  expectedTokens: number;
  /** Tokens stored in expected slots. */
  predictedTokens: number;
  /** Tokens that both have, by slot. */
  sharedTokens: number;
  /** Σ BLEU-1 over the expected slots. */
  bleuSum: number;
  /** Raw values of the extra slots. */
  extraValues: number;
}

/** No slot yet. @example noSlots().tp // 0 */
export function noSlots(): SlotCounts {
  return {
    tp: 0,
    fp: 0,
    fn: 0,
    exact: 0,
    expectedTokens: 0,
    predictedTokens: 0,
    sharedTokens: 0,
    bleuSum: 0,
    extraValues: 0,
  };
}

const columns = Object.keys(noSlots()) as (keyof SlotCounts)[];

/**
 * Adds counts to `sum`, and gives it back. Changes `sum`.
 * @example addCounts(noSlots(), { ...noSlots(), tp: 1 }).tp // 1
 */
export function addCounts(sum: SlotCounts, counts: SlotCounts): SlotCounts {
  for (const column of columns) sum[column] += counts[column];
  return sum;
}
