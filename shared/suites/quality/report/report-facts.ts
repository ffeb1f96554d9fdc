import type { Estimate } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import type { ReportedRun } from "../../../contracts/suite.ts";
import { metricBars, type ToneSteps } from "../../../measures/report/blocks.ts";
import type { QualityBreakdown } from "../breakdown.ts";
import { qualityMetrics } from "../metrics.ts";
import type { QualityOptions } from "../options.ts";

export type Metrics = Readonly<Record<string, Estimate>>;

/** What the sections of a report are made from. */
export interface ReportFacts extends ReportedRun<QualityOptions> {
  metrics: Metrics;
  breakdown: QualityBreakdown;
}

/** Where a value turns good. */
export const steps = [
  [0.85, "excellent"],
  [0.7, "good"],
  [0.5, "fair"],
] as const satisfies ToneSteps;

/**
 * Metrics side by side.
 * @example bars("Quality", ["overall"], metrics).bars[0]?.label // "Overall quality"
 */
export const bars = (title: string, ids: readonly string[], metrics: Metrics): BarsBlock =>
  metricBars(title, ids, metrics, { catalogue: qualityMetrics, steps });
