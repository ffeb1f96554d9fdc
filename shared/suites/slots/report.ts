import type { ReportSection } from "../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../contracts/suite.ts";
import { adviceSection } from "../../measures/report/advice.ts";
import { breakdownSchema } from "./breakdown.ts";
import type { SlotsOptions } from "./options.ts";
import { slotsAdvice } from "./report/advice-rules.ts";
import { errorSection } from "./report/error-section.ts";
import { judgeSection } from "./report/judge-section.ts";
import { partSection, tagSection } from "./report/part-section.ts";
import { performanceSection } from "./report/performance-section.ts";
import type { ReportFacts } from "./report/report-facts.ts";
import { summarySection } from "./report/summary-section.ts";
import { topicSection } from "./report/topic-section.ts";
import { valueSection } from "./report/value-section.ts";

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
