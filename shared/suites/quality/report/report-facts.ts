import type { Estimates } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import { metricBars } from "../../../measures/report/charts/blocks.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { qualityMetrics } from "../metrics.ts";
import type { QualityOptions } from "../options.ts";
import type { QualityBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<QualityOptions, QualityBreakdown>;

/**
 * Metrics side by side, in neutral colours.
 * @example bars("Form", ["overall"], metrics).bars[0]?.label // "Overall form"
 */
export const bars = (title: string, ids: readonly string[], metrics: Estimates): BarsBlock =>
  metricBars(title, ids, metrics, { catalogue: qualityMetrics, steps: [] });
