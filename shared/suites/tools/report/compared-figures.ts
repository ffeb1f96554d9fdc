import type { ComparedFigure, StandingCell } from "../../../measures/report/standing-blocks.ts";
import { tagCells } from "../../../measures/report/tag-cells.ts";
import { isRouted, levelLabels, type ReportFacts, rankingMetric } from "./report-facts.ts";

type Facts = Pick<ReportFacts, "metrics" | "breakdown" | "headline">;

/**
 * What parts are compared by: call F1, and of a routed run the total, in which a level is worth its score.
 * @example comparedFigures(facts)[0].label // "Call F1"
 */
export function comparedFigures(facts: Facts): [ComparedFigure, ...ComparedFigure[]] {
  const value = (id: string) => facts.metrics[id]?.value ?? null;
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
): StandingCell[] {
  return [
    ...breakdown.levels.map(({ level, n }) => {
      const { value = null, interval = null } = metrics[`${level}${levelFigure}`] ?? {};
      return { label: `level ${levelLabels[level].toLowerCase()}`, value, interval, n };
    }),
    ...tagCells(breakdown.tags, tagFigure),
  ];
}
