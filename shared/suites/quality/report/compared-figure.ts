import type { ComparedFigure } from "../../../measures/report/standing-blocks.ts";
import { tagCells } from "../../../measures/report/tag-cells.ts";
import { qualityMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

const headline = qualityMetrics[0]!;

/**
 * What parts are compared by: the headline, of the values of tags.
 * @example comparedFigure(facts).label // "Overall quality"
 */
export const comparedFigure = ({
  metrics,
  breakdown,
}: Pick<ReportFacts, "metrics" | "breakdown">): ComparedFigure => ({
  ...{ label: headline.label, format: headline.format },
  ...{ value: metrics[headline.id]?.value ?? null, cells: tagCells(breakdown.tags, headline.id) },
});
