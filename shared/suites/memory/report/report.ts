import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { adviceSection } from "../../../measures/report/advice.ts";
import type { MemoryOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { memoryAdvice } from "./advice-rules.ts";
import { claimSection } from "./claim-section.ts";
import { countedSection } from "./counted-section.ts";
import { judgeSection, peopleSection } from "./judge-section.ts";
import { keySection } from "./key-section.ts";
import { metricSection } from "./metric-section.ts";
import { judgingSection, performanceSection } from "./performance-section.ts";
import type { ReportFacts } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";
import { tagSection } from "./tag-section.ts";
import { unjudgedSection } from "./unjudged-section.ts";

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
