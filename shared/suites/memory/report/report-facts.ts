import type { Scale } from "../../../contracts/judging/judge.ts";
import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { metricBars } from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { memoryMetrics } from "../metrics.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<MemoryOptions, MemoryBreakdown>;

/** The zones of a share as thresholds of levels: 1 + 4 · share. */
export const levelLimits = { minimum: 3, target: 4, excellence: 4.6 };

/** The range of a scale, for tables whose rows have different scales. */
export const scaleText: Readonly<Record<Scale, string>> = { ratio: "0–1", level: "1–5" };

/** How values of a scale are printed. */
export const scaleFormat = { ratio: "score", level: "level" } as const satisfies Record<
  Scale,
  Metric["format"]
>;

/**
 * A judged metric's name; the id itself if it is unknown.
 * @example judgedLabel("empathy") // "Empathy"
 */
export const judgedLabel = (metric: string): string =>
  judges.find(({ id }) => id === metric)?.label ?? metric;

/**
 * Shares side by side.
 * @example shareBars("Groundedness", ["groundedness"], metrics).bars.length // 1
 */
export const shareBars = (title: string, ids: readonly string[], metrics: Estimates): BarsBlock =>
  metricBars(title, ids, metrics, { catalogue: memoryMetrics, steps: shareSteps });
