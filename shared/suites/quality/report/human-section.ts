import type { BarsBlock } from "../../../contracts/report.ts";
import {
  asBrief,
  type BlockParts,
  intervalColumn,
  note,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import { fewestSamples, tooFewRated } from "../../../measures/report/figures/part-interval.ts";
import { labelOf } from "../metrics.ts";
import type { QualityBreakdown } from "../sum/breakdown.ts";
import { mostRated } from "../sum/human-agreement.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * Agreement of metrics with human ratings, as a section; null if the dataset has no ratings.
 * Source: docs/spec/quality.md, validation.
 * @example humanSection(facts)?.id // "people"
 */
export function humanSection({ breakdown: { human } }: ReportFacts): SectionParts | null {
  if (human === null) return null;
  const metrics = human.metrics.filter(({ n }) => n >= fewestSamples);
  const most = Math.max(0, ...human.metrics.map(({ n }) => n));
  const text = `${human.answers} answers are rated, but correlations are computed for at most ${mostRated}: evaluate a part of the dataset with options.sample.`;
  const rated = () =>
    metrics.length === 0
      ? tooFewRated("Metrics and people", most)
      : [correlationBars(metrics), asBrief([correlationTable(metrics), raterTable(metrics)])];
  return {
    id: "people",
    title: "Metrics and people",
    intro: "Correlation with people's mean rating, over the responses that they rated.",
    blocks: human.isTooLarge ? note("Not computed", text) : rated(),
  };
}

function correlationBars(metrics: readonly Agreement[]): BarsBlock {
  const bars = metrics.map(({ metric, n, spearman: { value, interval } }) => ({
    label: labelOf(metric),
    value,
    interval,
    n,
    tone: "neutral" as const,
  }));
  return {
    kind: "bars",
    title: "Spearman's correlation with people",
    format: "score",
    legend: [],
    bars,
  };
}

type Agreement = NonNullable<QualityBreakdown["human"]>["metrics"][number];

const correlationTable = (metrics: readonly Agreement[]): BlockParts =>
  tableOf(
    "Correlation with people",
    [
      ["metric", "Metric", "text", ({ metric }) => labelOf(metric)],
      ["n", "Samples", "count"],
      ["spearman", "Spearman", "score", ({ spearman }) => spearman.value],
      ["spearmanInterval", "95% interval", "figure", (its) => intervalText(its.spearman.interval)],
      ["pearson", "Pearson", "score", ({ pearson }) => pearson.value],
      ["pearsonInterval", "95% interval", "figure", (its) => intervalText(its.pearson.interval)],
    ],
    metrics,
  );

function raterTable(metrics: readonly Agreement[]): BlockParts {
  const rows = metrics.flatMap(({ metric, raters }) =>
    raters === null ? [] : [{ ...raters, metric: labelOf(metric) }],
  );
  if (rows.length === 0) return null;
  return tableOf(
    "Agreement of raters",
    [
      ["metric", "Metric", "text"],
      ["samples", "Samples with several ratings", "count"],
      ["ratings", "Ratings", "count"],
      ["alpha", "Krippendorff's alpha", "score", ({ value }) => value],
      intervalColumn<(typeof rows)[number]>(({ interval }) => interval),
    ],
    rows,
  );
}
