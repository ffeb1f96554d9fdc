import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { tagBlocks } from "../../../measures/report/parts/tag-blocks.ts";
import { latencyBlocks } from "../../../measures/report/performance/latency-blocks.ts";
import {
  ratesBlocks,
  timesBlocks,
} from "../../../measures/report/performance/performance-blocks.ts";
import { timelineBlocks } from "../../../measures/report/performance/timeline-blocks.ts";
import { labelOf, partIds, qualityMetrics } from "../metrics.ts";
import type { QualityOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { componentIds } from "../sum/columns.ts";
import { humanSection } from "./human-section.ts";
import { bars, type ReportFacts } from "./report-facts.ts";
import { responseSection, spreadSection } from "./spread-section.ts";
import { summarySection } from "./summary-section.ts";

const figure = (id: string) => ({ id, label: labelOf(id), format: "score" as const });

/** In the order of the page. */
const sections = [
  summarySection,
  componentSection,
  spreadSection,
  tagSection,
  humanSection,
  responseSection,
  performanceSection,
] as const;

/**
 * The report of a quality run, a file a section: the five metrics, their components, how responses differ,
 * tags, human ratings, outcomes of requests, and performance. Sections without anything to show are left out, and
 * there are no recommendations.
 * Source: docs/spec/quality.md.
 * @example qualityReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function qualityReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<QualityOptions>,
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
    figures: [figure("overall"), ...partIds.map(figure)],
    steps: [],
    things: "Answers",
  });
  if (blocks.length === 0) return null;
  return { id: "tags", title: "By tag", intro: "What the dataset says of its samples.", blocks };
}

/**
 * Times, throughput, tokens and cost.
 * Source: docs/spec/extraction.md, section 10.
 * @example performanceSection(facts).id // "performance"
 */
function performanceSection({ metrics, points, timeline }: ReportFacts): ReportSection {
  return {
    id: "performance",
    title: "Performance",
    intro: "Times of answered requests, in milliseconds. None of it is part of the scores.",
    blocks: [
      ...latencyBlocks(metrics, points, {
        headline: { id: "overall", label: "overall form", format: "score" },
      }),
      ...timelineBlocks(timeline),
      ...timesBlocks(metrics),
      ...ratesBlocks(metrics, qualityMetrics),
    ],
  };
}

/**
 * Components of each metric.
 * Source: docs/spec/quality.md.
 * @example componentSection(facts).id // "components"
 */
function componentSection({ metrics }: ReportFacts): ReportSection {
  const parts = partIds.filter((id) => componentIds[id].length > 0);
  return {
    id: "components",
    title: "Components",
    intro: "Each metric except length is the mean of three components.",
    blocks: parts.map((part) => bars(labelOf(part), componentIds[part], metrics)),
  };
}
