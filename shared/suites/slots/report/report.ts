import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { adviceSection } from "../../../measures/report/advice.ts";
import type { SlotsOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { slotsAdvice } from "./advice-rules.ts";
import { errorSection } from "./error-section.ts";
import { judgeSection } from "./judge-section.ts";
import { partSection, tagSection } from "./part-section.ts";
import { performanceSection } from "./performance-section.ts";
import type { ReportFacts } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { topicSection } from "./topic-section.ts";
import { valueSection } from "./value-section.ts";

/** In the order of the page. */
const sections = [
  summarySection,
  valueSection,
  topicSection,
  partSection,
  tagSection,
  judgeSection,
  errorSection,
  performanceSection,
  (facts: ReportFacts) => adviceSection(slotsAdvice(facts)),
] as const;

/**
 * The report of a slots run, a file a section: which slots were stored, with which values, by topic, user,
 * session and tag, what judges say of the values where there are judges, what went wrong, performance, and what
 * to change. Sections without anything to show are left out.
 * Source: docs/spec/slots.md, metrics.
 * @example slotsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function slotsReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<SlotsOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  return sections.map((section) => section(facts)).filter((section) => section !== null);
}
