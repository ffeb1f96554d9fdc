import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { judgingTable } from "../../../measures/judging/judge-blocks.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import { metricValue, tableOf } from "../../../measures/report/charts/blocks.ts";
import { intervalText } from "../../../measures/report/figures/figure-text.ts";
import { tagBlocks } from "../../../measures/report/parts/tag-blocks.ts";
import { latencyBlocks } from "../../../measures/report/performance/latency-blocks.ts";
import {
  ratesBlocks,
  timesBlocks,
} from "../../../measures/report/performance/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/performance/timeline-blocks.ts";
import { memoryMetrics } from "../metrics.ts";
import type { MemoryOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { memoryAdvice } from "./advice-rules.ts";
import { judgeSection, peopleSection } from "./judge-section.ts";
import { claimSection, keySection } from "./key-section.ts";
import { countedSection, metricSection } from "./metric-section.ts";
import { type ReportFacts, steps } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { unjudgedSection } from "./unjudged-section.ts";

const figure = (id: string) => {
  const { label = id, format = "score" } = memoryMetrics.find((metric) => metric.id === id) ?? {};
  return { id, label, format };
};

const judgingIds = [
  ...(["generationTime", "evaluationTime", "totalTime"] as const),
  ...(["generationTimeMean", "evaluationTimeMean"] as const),
] as const;

/** In the order of the page. */
const sections = [
  summarySection,
  metricSection,
  keySection,
  claimSection,
  countedSection,
  judgeSection,
  peopleSection,
  unjudgedSection,
  tagSection,
  performanceSection,
  judgingSection,
  (facts: ReportFacts) => adviceSection(memoryAdvice(facts)),
] as const;

/**
 * The report of a memory run, a file a section: the citation score, the twelve metrics with their judges,
 * memories, claims, what else was counted, judges and people, what is unjudged, tags, performance with judging
 * apart, and what to change. Sections without anything to show are left out.
 * Source: docs/spec/memory.md.
 * @example memoryReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function memoryReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<MemoryOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  return sections.map((section) => section(facts)).filter((section) => section !== null);
}

/**
 * Figures by tag; null if no tag has more than one value.
 * @example tagSection(facts)?.id // "tags"
 */
function tagSection({ breakdown }: ReportFacts): ReportSection | null {
  const blocks = tagBlocks(breakdown.tags, {
    figures: [figure("mcs"), ...["memory_utilization", "groundedness", "safety"].map(figure)],
    steps,
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}

/**
 * What the model took.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
function performanceSection({ metrics, points, timeline }: ReportFacts): ReportSection {
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

/**
 * What its judges took, apart from it.
 * Source: docs/spec/memory.md, judges.
 * @example judgingSection(facts).id // "judging"
 */
function judgingSection({ metrics }: ReportFacts): ReportSection {
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
