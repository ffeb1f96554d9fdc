import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import type { QualityOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { componentSection } from "./component-section.ts";
import { humanSection } from "./human-section.ts";
import { performanceSection } from "./performance-section.ts";
import { responseSection } from "./response-section.ts";
import { spreadSection } from "./spread-section.ts";
import { summarySection } from "./summary-section.ts";
import { tagSection } from "./tag-section.ts";

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
