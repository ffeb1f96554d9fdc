import type { ReportBlock, ReportSection, TableBlock } from "../../../contracts/report.ts";
import { folded } from "../../../measures/report/blocks.ts";
import { boxesOf } from "../../../measures/report/boxes-of.ts";
import { cutTable } from "../../../measures/report/cut-table.ts";
import { shareHistogram } from "../../../measures/report/point-histogram.ts";
import { pointScatter, pointsText } from "../../../measures/report/point-scatter.ts";
import { qualityMetricIds } from "../metric-ids.ts";
import { labelOf } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How single responses differ: overall form as a histogram, the five metrics as boxes, and overall against
 * length.
 * Source: docs/spec/quality.md, overall.
 * @example spreadSection(facts).id // "spread"
 */
export function spreadSection({ breakdown, points }: ReportFacts): ReportSection {
  const overall = breakdown.spreads.find(({ metric }) => metric === "overall");
  const lines = overall === undefined ? [] : [{ x: overall.median, label: "median" }];
  const axis = { label: "Overall form", format: "score" } as const;
  return {
    id: "spread",
    title: "How responses differ",
    intro: "Values of single responses; in the table those of samples, repeats averaged.",
    blocks: [
      ...shareHistogram("Overall form of responses", points, { ...axis, of: scoreOf }, lines),
      ...metricBoxes(points),
      ...pointScatter("Overall form against words", points, {
        x: { label: "Words of the response", format: "count", of: wordsOf },
        y: { ...axis, of: scoreOf },
      }),
      ...folded([spreadTable(breakdown)]),
    ],
  };
}

type Points = NonNullable<ReportFacts["points"]>;
type Point = Points["points"][number];

const scoreOf = ({ score }: Point) => score;
const wordsOf = ({ features }: Point) => numberOf(features["responseWords"]);
const numberOf = (value: Point["features"][string] | undefined) =>
  typeof value === "number" ? value : null;

function metricBoxes(points: ReportFacts["points"]): ReportBlock[] {
  if (points === null || points.points.length === 0) return [];
  const groups = qualityMetricIds.slice(1).map((id) => ({
    label: labelOf(id),
    values: points.points.flatMap(({ features }) => numberOf(features[id]) ?? []),
  }));
  const title = `The five metrics of responses${pointsText(points, points.points.length)}`;
  return boxesOf(title, { label: "Value of a response", format: "score" }, groups);
}

function spreadTable({ spreads }: ReportFacts["breakdown"]): TableBlock {
  return cutTable(
    "Spread over samples",
    [
      ["metric", "Metric", "text"],
      ["mean", "Mean", "score"],
      ["min", "Min", "score"],
      ["median", "Median", "score"],
      ["max", "Max", "score"],
      ["sd", "SD", "score"],
    ],
    spreads.map(({ metric, ...values }) => ({ metric: labelOf(metric), ...values })),
  );
}
