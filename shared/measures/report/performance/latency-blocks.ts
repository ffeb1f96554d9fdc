import type { Estimates, Metric } from "../../../contracts/metric.ts";
import type { HistogramBlock, ReportBlock } from "../../../contracts/report.ts";
import type { RunPoints } from "../../../contracts/runs/run-points.ts";
import { metricValue } from "../charts/blocks.ts";
import { pointScatter } from "../charts/point-scatter.ts";

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
