import type { Estimate, Metric } from "../../../contracts/metric.ts";
import type { ReportBlock, TableBlock } from "../../../contracts/report.ts";
import { performanceMetrics } from "../../performance/performance-metrics.ts";
import { metricValue, tableOf } from "../charts/blocks.ts";
import { boundsText, figureText, intervalText } from "../figures/figure-text.ts";

type Metrics = Readonly<Record<string, Estimate>>;

const durations = [
  ["latency", "Latency"],
  ["firstByte", "Time to first byte"],
  ["generation", "Generation"],
] as const;

const estimated = ["Mean", "P50", "P95", "P99"] as const;
const extremes = ["Min", "Max"] as const;

const timedIds = new Set(
  durations.flatMap(([id]) => [...estimated, ...extremes].map((name) => `${id}${name}`)),
);

/** Rates, throughput, tokens and cost: whatever of performance is no time of an answer. */
const otherIds = performanceMetrics.map(({ id }) => id).filter((id) => !timedIds.has(id));

/**
 * The times of answered requests as a table, in ms, with their intervals; the least and the largest have none.
 * @example timesBlocks(metrics)[0]?.kind // "table"
 */
export function timesBlocks(metrics: Metrics): ReportBlock[] {
  return tableOf(
    "Times, ms, with 95% intervals",
    [
      ["time", "Time", "text"],
      ...[...estimated, ...extremes].map((name): [string, string, "figure"] => [
        name,
        name.toLowerCase(),
        "figure",
      ]),
    ],
    durations.map(([id, time]) => ({
      time,
      ...Object.fromEntries(
        [...estimated, ...extremes].map((name) => [name, timeText(metrics[`${id}${name}`])]),
      ),
    })),
  );
}

/** The head of the table has the unit. */
function timeText(estimate: Estimate | undefined): string | null {
  const { value = null, interval = null } = estimate ?? {};
  if (value === null) return null;
  const shown = figureText(value, "ms").replace(/\u202fms$/, "");
  return interval === null ? shown : `${shown} (${boundsText(interval, "ms")})`;
}

/**
 * Rates, throughput and cost as a table, and the metrics `more` of the suite's `catalogue` below them.
 * @example ratesBlocks(metrics, extractionMetrics, ["fieldsPerSecond"])
 */
export function ratesBlocks(
  metrics: Metrics,
  catalogue: readonly Metric[],
  more: readonly string[] = [],
): ReportBlock[] {
  return tableOf(
    "Rates, throughput and cost",
    [
      ["measure", "Measure", "text"],
      ["value", "Value", "figure"],
      ["interval", "95% interval", "figure"],
      ["n", "n", "count"],
    ],
    [...otherIds, ...more].map((id) => rowOf(id, metrics, catalogue)),
  );
}

/** Units differ from row to row, so values are printed as text. */
function rowOf(
  id: string,
  metrics: Metrics,
  catalogue: readonly Metric[],
): TableBlock["rows"][number] {
  const { label = id, format = "count" } = catalogue.find((metric) => metric.id === id) ?? {};
  const value = figureText(metricValue(metrics, id), format);
  const interval = intervalText(metrics[id]?.interval ?? null, format);
  return { measure: label, value, interval, n: metrics[id]?.n ?? 0 };
}
