import type { ReportSection, TableBlock } from "../../../contracts/report.ts";
import { performanceMetrics } from "../../../measures/performance-metrics.ts";
import { extractionMetrics } from "../metrics.ts";
import { brief, metricValue, type ReportFacts, tableOf } from "./report-facts.ts";

const durations = [
  ["latency", "Latency"],
  ["firstByte", "Time to first byte"],
  ["generation", "Generation"],
] as const;

const spread = ["Mean", "P50", "P95", "P99", "Min", "Max"] as const;

const timedIds = new Set(durations.flatMap(([id]) => spread.map((name) => `${id}${name}`)));

/** Rates, throughput, tokens and cost: whatever of performance is no time of an answer. */
const otherIds = [
  ...performanceMetrics.map(({ id }) => id).filter((id) => !timedIds.has(id)),
  ...["parseFailureRate", "schemaFailureRate", "fieldsPerSecond", "tokenEfficiency"],
];

/**
 * Times, service levels, rates, throughput and cost.
 * Source: specification of the extraction suite, section 10.
 * @example performanceSection(facts).id // "performance"
 */
export function performanceSection({ breakdown, metrics }: ReportFacts): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro:
      "Times of answered requests, in milliseconds; rates over requests; throughput over the run's wall time. None of it is part of EQS.",
    blocks: [
      ...tableOf(
        "Times",
        [
          ["time", "Time", "text"],
          ...spread.map((name) => [name, name.toLowerCase(), "ms"] as [string, string, "ms"]),
        ],
        durations.map(([id, time]) => ({
          time,
          ...Object.fromEntries(spread.map((name) => [name, metricValue(metrics, `${id}${name}`)])),
        })),
      ),
      ...brief(
        tableOf(
          "Service levels",
          [
            ["level", "Level", "text"],
            ["met", "Met", "text"],
          ],
          levels(breakdown.sla),
        ),
      ),
      ...tableOf(
        "Rates, throughput and cost",
        [
          ["measure", "Measure", "text"],
          ["value", "Value", "text"],
          ["n", "n", "count"],
        ],
        otherIds.map((id) => otherRow(id, metrics)),
      ),
    ],
  };
}

function levels(sla: ReportFacts["breakdown"]["sla"]): TableBlock["rows"] {
  const word = (met: boolean | null) => (met === null ? null : met ? "yes" : "no");
  return [
    { level: "p95 below 2,000 ms", met: word(sla.p95Under2000Ms) },
    { level: "p99 below 5,000 ms", met: word(sla.p99Under5000Ms) },
  ];
}

/** Units differ from row to row, so values are printed as text. */
function otherRow(id: string, metrics: ReportFacts["metrics"]): TableBlock["rows"][number] {
  const { label = id, unit } = extractionMetrics.find((metric) => metric.id === id) ?? {};
  const value = metricValue(metrics, id);
  const shown = (known: number) => {
    if (unit === "ratio") return `${(known * 100).toFixed(1)}%`;
    if (unit === "usd") return `$${known.toFixed(4)}`;
    return unit === "tokens" ? String(known) : known.toPrecision(4);
  };
  return { measure: label, value: value === null ? null : shown(value), n: metrics[id]?.n ?? 0 };
}
