import type { Suite } from "../../contracts/suite.ts";
import type { ComparedMetrics } from "./compare-runs.ts";

type ComparedSuite = Pick<Suite, "headline" | "boardMetrics" | "metrics" | "composites">;

/**
 * What runs of a suite are compared by: the metrics they have sample by sample (`bySample`, ids), and
 * for whole runs its headline, what its boards show, and the cost; the headline is the first of both. Ids that the catalogue lacks, as those
 * of parts, are no metrics.
 * Source: docs/spec/statistics.md, best by metric.
 * @example comparedMetrics(extraction, Object.keys(scores.values)).bySample[0]?.id // "eqs"
 */
export function comparedMetrics(
  { headline, boardMetrics, metrics, composites }: ComparedSuite,
  bySample: readonly string[],
): ComparedMetrics {
  const named = (ids: readonly string[]) =>
    ids.flatMap((id) => metrics.find((metric) => metric.id === id) ?? []);
  const first = bySample.filter((id) => id === headline);
  return {
    headline,
    bySample: named([...new Set([...first, ...bySample])]).map((metric) => ({
      ...metric,
      composite: composites?.[metric.id],
    })),
    byRun: named([...new Set([headline, ...boardMetrics, "costPer1kUsd"])]),
  };
}

/**
 * The column among `known` that has the same values; where there is none, `column` itself, which is known
 * from then on. Columns that runs share so take memory, and are resampled, once. Changes `known`.
 * O(known · values) where they differ late.
 * @example sharedColumn([ones], Float64Array.of(1, 1)) // ones
 */
export function sharedColumn(known: Float64Array[], column: Float64Array): Float64Array {
  const same = known.find((other) => isSame(other, column));
  if (same === undefined) known.push(column);
  return same ?? column;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < b.length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return a.length === b.length;
}
