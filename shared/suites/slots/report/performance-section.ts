import type { ReportSection } from "../../../contracts/report.ts";
import { latencyBlocks } from "../../../measures/report/latency-blocks.ts";
import { ratesBlocks, timesBlocks } from "../../../measures/report/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/timeline-blocks.ts";
import { slotsMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * Times, throughput, tokens and cost.
 * Source: docs/spec/slots.md, metrics; docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
export function performanceSection({ metrics, points, timeline }: ReportFacts): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds, one request a session.",
    blocks: [
      ...latencyBlocks(metrics, points, {
        headline: { id: "f1", label: "F1 of a session", format: "score" },
      }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, slotsMetrics, ["latencyTotal", "p95Source"]),
    ],
  };
}
