import type { Estimate, Metric } from "../../contracts/metric.ts";
import type { ReportBlock, TableBlock } from "../../contracts/report.ts";
import { performanceMetrics } from "../performance-metrics.ts";
import { metricValue, tableOf } from "./blocks.ts";
import { figureText } from "./figure-text.ts";

type Metrics = Readonly<Record<string, Estimate>>;

const durations = [
  ["latency", "Latency"],
  ["firstByte", "Time to first byte"],
  ["generation", "Generation"],
] as const;

const spread = ["Mean", "P50", "P95", "P99", "Min", "Max"] as const;

const timedIds = new Set(durations.flatMap(([id]) => spread.map((name) => `${id}${name}`)));

/** Rates, throughput, tokens and cost: whatever of performance is no time of an answer. */
const otherIds = performanceMetrics.map(({ id }) => id).filter((id) => !timedIds.has(id));

/**
 * The times of answered requests as a table, in ms.
 * @example timesBlocks(metrics)[0]?.kind // "table"
 */
export function timesBlocks(metrics: Metrics): ReportBlock[] {
  return tableOf(
    "Times",
    [
      ["time", "Time", "text"],
      ...spread.map((name) => [name, name.toLowerCase(), "ms"] as [string, string, "ms"]),
    ],
    durations.map(([id, time]) => ({
      time,
      ...Object.fromEntries(spread.map((name) => [name, metricValue(metrics, `${id}${name}`)])),
    })),
  );
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
  return { measure: label, value, n: metrics[id]?.n ?? 0 };
}
