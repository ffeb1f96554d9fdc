import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type { BarsBlock } from "../../../contracts/report.ts";
import { metricBars, metricValue } from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import type { ComparedFigure, PartCell } from "../../../measures/report/parts/strength-blocks.ts";
import { tagCells } from "../../../measures/report/parts/tag-blocks.ts";
import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import { levelLabels, toolsMetrics } from "../metrics.ts";
import type { ToolsOptions } from "../options.ts";
import type { FailureClass } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<ToolsOptions, ToolsBreakdown>;

/** Whether the run ranks by its total. */
export const isRouted = ({ headline }: Pick<ReportFacts, "headline">): boolean =>
  headline === "total";

/**
 * The metric that ranks the run.
 * @example rankingMetric({ headline: "total" }).label // "Total"
 */
export const rankingMetric = ({ headline }: Pick<ReportFacts, "headline">): Metric =>
  toolsMetrics.find(({ id }) => id === headline) ?? toolsMetrics[0]!;

export const failureLabels: Readonly<Record<FailureClass, string>> = {
  wrongFunction: "Wrong function",
  missingCall: "Missing call",
  extraCall: "Extra call",
  wrongArgument: "Wrong argument",
  missingArgument: "Missing argument",
  surplusArgument: "Surplus argument",
  malformedArguments: "Malformed arguments",
};

/**
 * Metrics side by side.
 * @example bars("Total", ["total"], metrics).bars[0]?.label // "Total"
 */
export const bars = (title: string, ids: readonly string[], metrics: Estimates): BarsBlock =>
  metricBars(title, ids, metrics, { catalogue: toolsMetrics, steps: shareSteps });

type Facts = Pick<ReportFacts, "metrics" | "breakdown" | "headline">;

/**
 * The figures by which parts are compared: call F1 and, for a routed run, the total (for a level its score).
 * @example comparedFigures(facts)[0].label // "Call F1"
 */
export function comparedFigures(facts: Facts): [ComparedFigure, ...ComparedFigure[]] {
  const value = (id: string) => metricValue(facts.metrics, id);
  const calls: ComparedFigure = {
    label: "Call F1",
    value: value("avgF1"),
    format: "score",
    cells: cellsOf(facts, "F1", "avgF1"),
  };
  if (!isRouted(facts)) return [calls];
  const { label, format } = rankingMetric(facts);
  return [calls, { label, value: value("total"), format, cells: cellsOf(facts, "Score", "total") }];
}

/** Levels and tags with one of their figures. */
function cellsOf(
  { metrics, breakdown }: Facts,
  levelFigure: "F1" | "Score",
  tagFigure: string,
): PartCell[] {
  return [
    ...breakdown.levels.map(({ level, n }) => {
      const { value = null, interval = null } = metrics[`${level}${levelFigure}`] ?? {};
      return { label: `level ${levelLabels[level].toLowerCase()}`, value, interval, n };
    }),
    ...tagCells(breakdown.tags, tagFigure),
  ];
}
