import type { ReportSection } from "../../../contracts/report.ts";
import { latencyBlocks } from "../../../measures/report/latency-blocks.ts";
import { ratesBlocks, timesBlocks } from "../../../measures/report/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/timeline-blocks.ts";
import { toolsMetrics } from "../metrics.ts";
import { type ReportFacts, rankingMetric } from "./report-facts.ts";

/**
 * Times, throughput, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
export function performanceSection(facts: ReportFacts): ReportSection {
  const { metrics, points, timeline } = facts;
  const { id, format } = rankingMetric(facts);
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds.",
    blocks: [
      ...latencyBlocks(metrics, points, {
        headline: { id, label: "score of a sample", format },
      }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, toolsMetrics),
    ],
  };
}
