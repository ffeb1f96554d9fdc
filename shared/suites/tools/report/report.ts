import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { adviceSection } from "../../../measures/report/advice.ts";
import type { ToolsOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { toolsAdvice } from "./advice-rules.ts";
import { callSection } from "./call-section.ts";
import { failureSection } from "./failure-section.ts";
import { functionSection } from "./function-section.ts";
import { hybridSection } from "./hybrid-section.ts";
import { levelSection } from "./level-section.ts";
import { performanceSection } from "./performance-section.ts";
import type { ReportFacts } from "./report-facts.ts";
import { sourceSection } from "./source-section.ts";
import { summarySection } from "./summary-section.ts";
import { tagSection } from "./tag-section.ts";

/** In the order of the page. */
const sections = [
  summarySection,
  levelSection,
  callSection,
  functionSection,
  failureSection,
  sourceSection,
  hybridSection,
  tagSection,
  performanceSection,
  (facts: ReportFacts) => adviceSection(toolsAdvice(facts)),
] as const;

/**
 * The report of a tools run, a file a section: the total and its levels, calls, functions, what went wrong,
 * where answers came from, hybrid routing, tags, performance, and what to change. Sections without anything to
 * show are left out.
 * Source: docs/spec/tools.md.
 * @example toolsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function toolsReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<ToolsOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  return sections.map((section) => section(facts)).filter((section) => section !== null);
}
