import type { Estimate } from "../../../contracts/metric.ts";
import type { Reference } from "../../../contracts/suite.ts";

/**
 * The highest reference that an estimate does not beat: the estimate's 95% interval reaches down to that of the
 * reference, or it has none. Null if the estimate is above it, was not measured, or there are no references.
 * Source: docs/spec/quality.md, what it is not.
 * @example unbeatenReference({ value: 0.6, interval: [0.5, 0.7] }, references)?.label // "Connector salad"
 */
export function unbeatenReference(
  { value, interval }: Pick<Estimate, "value" | "interval">,
  references: readonly Reference[],
): Reference | null {
  const endOf = (one: Reference) => one.interval?.[1] ?? one.value;
  const [best] = [...references].sort((a, b) => endOf(b) - endOf(a));
  if (best === undefined || value === null) return null;
  return interval !== null && interval[0] > endOf(best) ? null : best;
}
