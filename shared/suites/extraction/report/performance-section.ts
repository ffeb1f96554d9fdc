import type { ReportSection, TableBlock } from "../../../contracts/report.ts";
import { brief, tableOf } from "../../../measures/report/blocks.ts";
import { latencyBlocks } from "../../../measures/report/latency-blocks.ts";
import { ratesBlocks, timesBlocks } from "../../../measures/report/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/timeline-blocks.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Beside what every suite measures. */
const ownIds = ["parseFailureRate", "schemaFailureRate", "fieldsPerSecond", "tokenEfficiency"];

const headline = { id: "eqs", label: "EQS", format: "score" } as const;

/**
 * Times, service levels, throughput over time, rates, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
export function performanceSection(facts: ReportFacts): ReportSection {
  const { breakdown, metrics, points, timeline } = facts;
  return {
    id: "performance",
    title: "Performance",
    intro:
      "Times of answered requests, in milliseconds; rates over requests; throughput over the run's wall time. None of it is part of EQS.",
    blocks: [
      ...latencyBlocks(metrics, points, { headline }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
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
      ...ratesBlocks(metrics, extractionMetrics, ownIds),
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
