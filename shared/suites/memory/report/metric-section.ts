import { unitValue } from "../../../contracts/judging/judge.ts";
import type { Estimates } from "../../../contracts/metric.ts";
import type { BarsBlock, MatrixBlock, SampleFilter, Tone } from "../../../contracts/report.ts";
import { judges } from "../../../judges/judges.ts";
import { judgeName } from "../../../measures/judging/judge-blocks.ts";
import {
  asBrief,
  asFolded,
  type BlockParts,
  type Column,
  figureColumns,
  metricValue,
  type SectionParts,
  stackOf,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps, stepsLegend, toneOf } from "../../../measures/report/charts/tone-steps.ts";
import { figureText, intervalText } from "../../../measures/report/figures/figure-text.ts";
import type { MemoryBreakdown } from "../sum/breakdown.ts";
import { judgedLabel, type ReportFacts, scaleFormat, scaleText } from "./report-facts.ts";

type Score = MemoryBreakdown["scores"][number];

/**
 * Every judged metric on a common scale and on its own scale, with its spread over samples and its judges.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example metricSection(facts).id // "metrics"
 */
export function metricSection({ metrics, breakdown }: ReportFacts): SectionParts {
  const { scores, judges: rows } = breakdown;
  const namesOf = ({ metric }: Score): string | null => {
    const its = rows.filter((row) => row.metric === metric && row.judged > 0);
    return its.map(({ judge }) => judgeName(judge)).join(", ") || null;
  };
  return {
    id: "metrics",
    title: "The metrics",
    intro:
      "Shares from 0 to 1 and levels from 1 to 5; Memory F1 and groundedness are computed over all samples together, median and spread over samples.",
    blocks: [
      profile(metrics),
      asBrief(
        withSamples(
          tableOf(
            "Metrics and their judges",
            [
              ["label", "Metric", "text"],
              ["scale", "Scale", "figure", ({ scale }) => scaleText[scale]],
              [
                "value",
                "Value",
                "figure",
                ({ metric, scale }) => figureText(metricValue(metrics, metric), scaleFormat[scale]),
              ],
              [
                "interval",
                "95% interval",
                "figure",
                ({ metric, scale }) =>
                  intervalText(metrics[metric]?.interval ?? null, scaleFormat[scale]),
              ],
              ["coverage", "Judged", "percent"],
              ["judges", "Judged by", "text", namesOf],
            ],
            scores,
          ),
          scores,
          lowOf,
        ),
      ),
      levelMatrix(scores),
      asFolded([shareTable(scores), spreadTable(scores)]),
    ],
  };
}

/** Answers that a judge puts into the lowest third of the scale. */
const lowOf = ({ metric: path }: Score): SampleFilter => ({ path, verdict: "low" });

/** Levels as shares, so that all metrics share one axis. */
function profile(metrics: Estimates): BarsBlock {
  return {
    kind: "bars",
    title: "Profile, levels converted by (x − 1)/4",
    format: "score",
    legend: stepsLegend(shareSteps, "score"),
    bars: judges.map(({ scale, figures: [{ metric }] }) => {
      const { value = null, interval = null, n = 0 } = metrics[metric.id] ?? {};
      const share = value === null ? null : unitValue(value, scale);
      return {
        label: metric.label,
        value: share,
        n,
        tone: toneOf(share, shareSteps),
        interval:
          interval === null ? null : [unitValue(interval[0], scale), unitValue(interval[1], scale)],
      };
    }),
  };
}

const levels = ["1", "2", "3", "4", "5"];

/** The share of judged answers at each level of a metric. */
function levelMatrix(scores: readonly Score[]): MatrixBlock | null {
  const rows = scores.filter(({ scale, judged }) => scale === "level" && judged > 0);
  if (rows.length === 0) return null;
  return {
    kind: "matrix",
    title: "Answers by level",
    format: "percent",
    scale: "share",
    rows: { label: "Metric", names: rows.map(({ label }) => label) },
    columns: { label: "Level", names: levels },
    cells: rows.map(({ levels: counts, judged }) => counts.map((count) => count / judged)),
  };
}

const shares = ["0", "0.25", "0.5", "0.75", "1"];

/** Shares have no levels; each counts at the nearest of five values. */
function shareTable(scores: readonly Score[]): BlockParts {
  const rows = scores.filter(({ scale, judged }) => scale === "ratio" && judged > 0);
  if (rows.length === 0) return null;
  return tableOf(
    "Answers by the share next to their value",
    [
      ["label", "Metric", "text"],
      ...shares.map(
        (share, i): Column<Score> => [`at${i}`, share, "count", ({ levels: counts }) => counts[i]!],
      ),
    ],
    rows,
  );
}

const spreadFigures = { mean: "Mean", median: "Median", sd: "SD", min: "Min", max: "Max" } as const;

const spreadTable = (scores: readonly Score[]): BlockParts =>
  tableOf(
    "Spread over samples",
    [
      ["label", "Metric", "text"],
      ["scale", "Scale", "figure", ({ scale }) => scaleText[scale]],
      ...(Object.keys(spreadFigures) as (keyof typeof spreadFigures)[]).map(
        (id): Column<Score> => [
          id,
          spreadFigures[id],
          "figure",
          // A standard deviation of levels is not a level.
          (row) => figureText(row[id], id === "sd" ? "score" : scaleFormat[row.scale]),
        ],
      ),
    ],
    scores,
  );

/** Colours by rank, best label first; only the best is good. */
const labelTones = [
  "excellent",
  "fair",
  "poor",
  "veryPoor",
  "kind2",
  "kind5",
] as const satisfies readonly Tone[];

/**
 * Other counts and labels of judges, of every metric that has any: contradictions, validation, warmth.
 * Source: docs/spec/memory.md, the twelve metrics.
 * @example countedSection(facts).id // "counted"
 */
export function countedSection({ metrics, breakdown: { labels } }: ReportFacts): SectionParts {
  const named = Map.groupBy(labels, ({ name, metric }) => `${name} ${metric}`);
  const stacks = [...named.values()].map((rows) => {
    const { name, metric } = rows[0]!;
    return stackOf(
      `${judgedLabel(metric)}: ${name}`,
      "answers",
      rows.map(({ label: word, count }, i) => {
        const tone = labelTones[Math.min(i, labelTones.length - 1)]!;
        return [word, count, tone, `The judge calls the ${name} ${word}.`];
      }),
    );
  });
  return {
    id: "counted",
    title: "Contradictions, validation, warmth",
    intro: "What judges count in answers, in addition to their grades.",
    blocks: [
      stacks,
      tableOf(
        "Counted in answers",
        [["label", "What", "text"], ...figureColumns(metrics, "Samples judged")],
        countedMetrics,
      ),
    ],
  };
}

const shown = new Set(["memory_utilization", "groundedness"]);

const countedMetrics = judges.flatMap(({ id, figures: [, ...more] }) =>
  more.map(({ metric }) => metric).filter(({ format }) => !shown.has(id) || format === "count"),
);
