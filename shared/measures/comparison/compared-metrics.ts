import type { Suite } from "../../contracts/suite.ts";
import type { ComparedMetrics } from "./compare-runs.ts";

type ComparedSuite = Pick<Suite, "headline" | "boardMetrics" | "metrics" | "composites">;

/**
 * The metrics for comparing runs of a suite: those with a value for every sample (`bySample`, ids), and for whole
 * runs the headline, the board metrics and the cost. The headline is the first in both. Ids that are not in the
 * catalogue, such as those of parts, are ignored.
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
