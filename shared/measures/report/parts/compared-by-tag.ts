import type { Estimate, Metric } from "../../../contracts/metric.ts";
import { metricValue } from "../charts/blocks.ts";
import type { ComparedFigure } from "./standing-blocks.ts";
import { tagCells } from "./tag-cells.ts";

/**
 * What parts are compared by where they are the values of tags: a metric of the run beside the same of each
 * value. Null where it was not measured; without cells where no tag tells samples apart.
 * @example comparedByTag(metric, facts).cells[0]?.label // "domain law"
 */
export const comparedByTag = (
  { id, label, format }: Pick<Metric, "id" | "label" | "format">,
  facts: {
    metrics: Readonly<Record<string, Estimate>>;
    breakdown: { tags: Parameters<typeof tagCells>[0] };
  },
): ComparedFigure => ({
  label,
  format,
  value: metricValue(facts.metrics, id),
  cells: tagCells(facts.breakdown.tags, id),
});
