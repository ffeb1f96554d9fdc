import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import {
  asFolded,
  type CountedPart,
  countedParts,
  cutTable,
  metricNamed,
  metricValue,
  type SectionParts,
  stackOf,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { boxesOf } from "../../../measures/report/charts/feature-boxes.ts";
import {
  pointScatter,
  pointsText,
  shareHistogram,
} from "../../../measures/report/charts/point-scatter.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { labelOf, qualityMetricIds, qualityMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * The spread of responses: overall form as a histogram, the five metrics as boxes, and overall form against length.
 * Source: docs/spec/quality.md, overall.
 * @example spreadSection(facts).id // "spread"
 */
export function spreadSection({ breakdown, points }: ReportFacts): SectionParts {
  const overall = breakdown.spreads.find(({ metric }) => metric === "overall");
  const lines = overall === undefined ? [] : [{ x: overall.median, label: "median" }];
  const axis = { label: "Overall form", format: "score" } as const;
  return {
    id: "spread",
    title: "How responses differ",
    intro: "Values of single responses; in the table values of samples, with repeats averaged.",
    blocks: [
      shareHistogram("Overall form of responses", points, { ...axis, of: scoreOf }, lines),
      metricBoxes(points),
      pointScatter("Overall form against words", points, {
        x: { label: "Words of the response", format: "count", of: wordsOf },
        y: { ...axis, of: scoreOf },
      }),
      asFolded(spreadTable(breakdown)),
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

const spreadTable = ({ spreads }: ReportFacts["breakdown"]): TableBlock =>
  cutTable(
    "Spread over samples",
    [
      ["metric", "Metric", "text", ({ metric }) => labelOf(metric)],
      ["mean", "Mean", "score"],
      ["min", "Min", "score"],
      ["median", "Median", "score"],
      ["max", "Max", "score"],
      ["sd", "SD", "score"],
    ],
    spreads,
  );

/** Statuses of answers, in the order of the page. */
const statuses = [
  ["status answered", "Answered", "read", "A text with at least one word."],
  ["status empty", "Without a word", "empty", "Nothing, or only punctuation."],
  ["status refused", "Refused", "refused", "The endpoint says that the model refused."],
  ["status error", "Request failed", "failed", "There is no answer."],
] as const satisfies readonly CountedPart[];

/**
 * Statuses of answers: answered, refused, failed; length, cut-offs and language.
 * Source: docs/spec/quality.md.
 * @example responseSection(facts).id // "responses"
 */
export const responseSection = ({ metrics, breakdown }: ReportFacts): SectionParts => ({
  id: "responses",
  title: "Answers",
  intro: "A response without a word scores 0 in every metric.",
  blocks: [
    stackOf("Responses", "responses", countedParts(breakdown.counts, statuses)),
    tableOf(
      "Length, cut-offs and language",
      [
        ["measure", "Measure", "text", ({ label }) => label],
        [
          "value",
          "Value",
          "figure",
          ({ id, format }) => figureText(metricValue(metrics, id), format),
        ],
        ["n", "n", "count", ({ id }) => metrics[id]?.n ?? 0],
      ],
      ["responseWords", "truncatedRate", "unsupportedRate"].map((id) =>
        metricNamed(qualityMetrics, id),
      ),
    ),
  ],
});
