import type { ReportSection } from "../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../contracts/suite.ts";
import { breakdownSchema } from "./breakdown.ts";
import type { QualityOptions } from "./options.ts";
import { componentSection } from "./report/component-section.ts";
import { humanSection } from "./report/human-section.ts";
import { performanceSection } from "./report/performance-section.ts";
import { responseSection } from "./report/response-section.ts";
import { spreadSection } from "./report/spread-section.ts";
import { summarySection } from "./report/summary-section.ts";
import { tagSection } from "./report/tag-section.ts";

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
 * The report of a quality run, a file a section: the five metrics, what each is made of, how responses differ,
 * tags, what people gave, what came back, and performance. Sections without anything to show are left out, and
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
