import type { Estimate } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import type { ReportedRun } from "../../../contracts/suite.ts";
import { metricBars } from "../../../measures/report/charts/blocks.ts";
import { qualityMetrics } from "../metrics.ts";
import type { QualityOptions } from "../options.ts";
import type { QualityBreakdown } from "../sum/breakdown.ts";

export type Metrics = Readonly<Record<string, Estimate>>;

/** What the sections of a report are made from. */
export interface ReportFacts extends ReportedRun<QualityOptions> {
  metrics: Metrics;
  breakdown: QualityBreakdown;
}

/**
 * Metrics side by side, in no colour of good or bad.
 * @example bars("Form", ["overall"], metrics).bars[0]?.label // "Overall form"
 */
export const bars = (title: string, ids: readonly string[], metrics: Metrics): BarsBlock =>
  metricBars(title, ids, metrics, { catalogue: qualityMetrics, steps: [] });
