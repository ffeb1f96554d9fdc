import type { Estimate, Estimates, Metric } from "../../../contracts/metric.ts";
import type { HistogramBlock, ReportBlock } from "../../../contracts/report.ts";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import type { ReportedRun } from "../../../contracts/suite.ts";
import { performanceMetrics } from "../../performance/performance-metrics.ts";
import {
  asFolded,
  type BlockParts,
  type Column,
  figureColumns,
  metricNamed,
  metricValue,
  type SectionParts,
  tableOf,
} from "../charts/blocks.ts";
import { pointScatter } from "../charts/point-scatter.ts";
import { boundsText, figureText } from "../figures/figure-text.ts";
import { timelineBlocks } from "./timeline-blocks.ts";

const durations = [
  ["latency", "Latency"],
  ["firstToken", "Time to first token"],
  ["firstByte", "Time to first answer token"],
  ["generation", "Generation"],
  ["network", "On the network"],
] as const;

const estimated = ["Mean", "P50", "P95", "P99"] as const;
const extremes = ["Min", "Max"] as const;

const timedIds = new Set(
  durations.flatMap(([id]) => [...estimated, ...extremes].map((name) => `${id}${name}`)),
);

/** Rates and throughput, tokens and cost: all performance metrics that are not times of answers. */
const others = performanceMetrics.filter(({ id }) => !timedIds.has(id));
/** Token metrics that are shares or speeds, so their units don't identify them. */
const ofTokens = new Set([
  "thinkingShare",
  "thoughtsRate",
  "tokensPerSecond",
  "outputSpeedP5",
  "outputSpeedP50",
]);
const isOfTokens = ({ id, unit }: Metric): boolean =>
  unit === "tokens" || unit === "usd" || ofTokens.has(id);

const idsOf = (isMeant: (one: Metric) => boolean): string[] =>
  others.filter(isMeant).map(({ id }) => id);

/** Parts of the performance section that differ by suite. */
interface PerformanceWords {
  intro: string;
  headline: Pick<Metric, "label" | "format">;
  catalogue: readonly Metric[];
  /** Metrics of the suite, below the rates. */
  ids?: readonly string[];
  /** Blocks of the suite. */
  more?: BlockParts;
}

/**
 * Times, throughput, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts, { intro, headline, catalogue }).id // "performance"
 */
export const performanceSection = (
  {
    metrics,
    points,
    timeline,
  }: Pick<ReportedRun<unknown>, "points" | "timeline"> & { metrics: Estimates },
  { intro, headline, catalogue, ids = [], more = null }: PerformanceWords,
): SectionParts => ({
  id: "performance",
  title: "Performance",
  intro,
  blocks: [
    latencyBlocks(metrics, points, headline),
    more,
    ratesBlocks(metrics, catalogue, ids),
    asFolded([timesBlocks(metrics), timelineBlocks(timeline)]),
  ],
});

/** The times of answered requests in ms, with their intervals; minimum and maximum have none. */
const timesBlocks = (metrics: Estimates): ReportBlock[] =>
  tableOf(
    "Times, ms, with 95% intervals",
    [
      ["time", "Time", "text", ([, label]) => label],
      ...[...estimated, ...extremes].map((name): Column<(typeof durations)[number]> => {
        return [name, name.toLowerCase(), "figure", ([id]) => timeText(metrics[`${id}${name}`])];
      }),
    ],
    durations.filter(([id]) => metrics[`${id}P50`]?.value != null),
  );

/** The table's header has the unit. */
function timeText(estimate: Estimate | undefined): string | null {
  const { value = null, interval = null } = estimate ?? {};
  if (value === null) return null;
  const shown = figureText(value, "ms").replace(/\u202fms$/, "");
  return interval === null ? shown : `${shown} (${boundsText(interval, "ms")})`;
}

/** Measured rates and throughput with the suite's metrics `more`, then tokens and cost; rows have their metric's id. */
const ratesBlocks = (
  metrics: Estimates,
  catalogue: readonly Metric[],
  more: readonly string[],
): ReportBlock[] => {
  const table = (title: string, all: readonly string[]): ReportBlock[] => {
    const shown = all.filter((id) => metrics[id]?.value != null);
    const [block, ...others] = tableOf(
      title,
      [["measure", "Measure", "text", ({ label }) => label], ...figureColumns(metrics)],
      shown.map((id) => metricNamed(catalogue, id)),
    );
    const rows = block.rows.map((row, i) => ({ ...row, metric: shown[i]! }));
    return [{ ...block, rows }, ...others];
  };
  return [
    ...table("Rates and throughput", [...idsOf((one) => !isOfTokens(one)), ...more]),
    ...table("Tokens, speed and cost", idsOf(isOfTokens)),
  ];
};

/**
 * Latencies of all answers as a histogram with the run's p50, p95 and p99, and answers by latency and score. A chart
 * without data is omitted; both are without points.
 * @example latencyBlocks(metrics, points, { label: "EQS", format: "score" })
 */
export function latencyBlocks(
  metrics: Estimates,
  points: RunPoints | null,
  headline: Pick<Metric, "label" | "format">,
): ReportBlock[] {
  if (points === null) return [];
  return [
    ...histogram(metrics, points.latency),
    ...pointScatter(`Latency against ${headline.label}`, points, {
      x: { label: "Latency", format: "ms", of: (point) => point.latencyMs },
      y: { label: headline.label, format: headline.format, of: (point) => point.score },
    }),
  ];
}

function histogram(metrics: Estimates, bins: RunPoints["latency"]): HistogramBlock[] {
  const [first] = bins;
  if (first === undefined) return [];
  return [
    {
      kind: "histogram",
      title: "Latency of answers",
      unit: "answers",
      x: { label: "Latency", format: "ms", scale: first.from > 0 ? "log" : "linear" },
      bins: bins.map((bin) => ({ ...bin })),
      lines: ["P50", "P95", "P99"].flatMap((name) => {
        const x = metricValue(metrics, `latency${name}`);
        return x === null ? [] : [{ x, label: name.toLowerCase() }];
      }),
    },
  ];
}
