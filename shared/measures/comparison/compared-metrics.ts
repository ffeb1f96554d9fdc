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
