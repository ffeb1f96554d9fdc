import type { ReportSection } from "../../../contracts/report.ts";
import { judgingTable } from "../../../measures/judging/judge-blocks.ts";
import { metricValue, tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import { latencyBlocks } from "../../../measures/report/latency-blocks.ts";
import { ratesBlocks, timesBlocks } from "../../../measures/report/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/timeline-blocks.ts";
import { memoryMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * What the model took.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
export function performanceSection({ metrics, points, timeline }: ReportFacts): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds, judging aside.",
    blocks: [
      ...latencyBlocks(metrics, points, {
        headline: { id: "mcs", label: "memory citation score", format: "percent" },
      }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, memoryMetrics),
    ],
  };
}

const judgingIds = [
  ...(["generationTime", "evaluationTime", "totalTime"] as const),
  ...(["generationTimeMean", "evaluationTimeMean"] as const),
] as const;

/**
 * What its judges took, apart from it.
 * Source: docs/spec/memory.md, judges.
 * @example judgingSection(facts).id // "judging"
 */
export function judgingSection({ metrics }: ReportFacts): ReportSection {
  return {
    id: "judging",
    title: "Judging",
    intro:
      "What judging took; none of it is part of the model's own figures. Calls run side by side, so that the sums of their times are longer than the run.",
    blocks: [
      ...tableOf(
        "Time of all calls",
        [
          ["label", "Time", "text"],
          ["value", "Value", "ms"],
          ["interval", "95% interval", "figure"],
        ],
        judgingIds.map((id) => ({
          label: memoryMetrics.find((metric) => metric.id === id)?.label ?? id,
          value: metricValue(metrics, id),
          interval: intervalText(metrics[id]?.interval ?? null, "ms"),
        })),
      ),
      ...judgingTable(metrics),
    ],
  };
}
