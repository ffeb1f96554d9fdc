import type {
  BarsBlock,
  ReportBlock,
  ReportSection,
  TableBlock,
} from "../../../contracts/report.ts";
import { asBrief, tableOf } from "../../../measures/report/charts/blocks.ts";
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
export function humanSection({ breakdown: { human } }: ReportFacts): ReportSection | null {
  if (human === null) return null;
  const { answers, isTooLarge } = human;
  const metrics = human.metrics.filter(({ n }) => n >= fewestSamples);
  const most = Math.max(0, ...human.metrics.map(({ n }) => n));
  const text = `${answers} answers are rated, and correlations are computed for at most ${mostRated}: evaluate a part of the dataset with options.sample.`;
  return {
    id: "people",
    title: "Metrics and people",
    intro:
      "Correlation over samples with the mean rating that people gave. It says something of a metric where these responses are the ones that were rated. Requests that failed are left out.",
    blocks: isTooLarge
      ? [{ kind: "note", title: "Not computed", tone: "neutral", text }]
      : metrics.length === 0
        ? [tooFewRated("Metrics and people", most)]
        : [correlationBars(metrics), ...asBrief<ReportBlock>(tablesOf(metrics))],
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

function tablesOf(metrics: readonly Agreement[]): ReportBlock[] {
  const hasRaters = metrics.some(({ raters }) => raters !== null);
  return [
    ...tableOf("Correlation with people", correlationColumns, metrics.map(correlationRow)),
    ...(hasRaters ? tableOf("Agreement of raters", raterColumns, metrics.flatMap(raterRows)) : []),
  ];
}

type Agreement = NonNullable<QualityBreakdown["human"]>["metrics"][number];
type Columns = Parameters<typeof tableOf>[1];

const correlationColumns: Columns = [
  ["metric", "Metric", "text"],
  ["n", "Samples", "count"],
  ["spearman", "Spearman", "score"],
  ["spearmanInterval", "95% interval", "figure"],
  ["pearson", "Pearson", "score"],
  ["pearsonInterval", "95% interval", "figure"],
];

const raterColumns: Columns = [
  ["metric", "Metric", "text"],
  ["samples", "Samples with several ratings", "count"],
  ["ratings", "Ratings", "count"],
  ["alpha", "Krippendorff's alpha", "score"],
  ["interval", "95% interval", "figure"],
];

const correlationRow = ({
  metric,
  n,
  spearman,
  pearson,
}: Agreement): TableBlock["rows"][number] => ({
  metric: labelOf(metric),
  n,
  spearman: spearman.value,
  pearson: pearson.value,
  spearmanInterval: intervalText(spearman.interval),
  pearsonInterval: intervalText(pearson.interval),
});

const raterRows = ({ metric, raters }: Agreement): TableBlock["rows"] =>
  raters === null
    ? []
    : [
        {
          metric: labelOf(metric),
          samples: raters.samples,
          ratings: raters.ratings,
          alpha: raters.value,
          interval: intervalText(raters.interval),
        },
      ];
