import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { adviceSection } from "../../../measures/report/advice.ts";
import type { ExtractionOptions } from "../options.ts";
import { breakdownSchema } from "../sum/breakdown/breakdown.ts";
import { extractionAdvice } from "./advice/extraction-advice.ts";
import { calibrationSection } from "./calibration-section.ts";
import { complexitySection } from "./complexity-section.ts";
import { consistencySection } from "./consistency-section.ts";
import { errorSection } from "./error-section.ts";
import { fieldSection } from "./field-section.ts";
import { hallucinationSection } from "./hallucination-section.ts";
import { outputSection } from "./output-section.ts";
import { partSection } from "./part-section.ts";
import { pathSection } from "./path-section.ts";
import { performanceSection } from "./performance-section.ts";
import { similaritySection } from "./similarity-section.ts";
import { summarySection } from "./summary-section.ts";
import { tagSection } from "./tag-section.ts";
import { typeSection } from "./type-section.ts";

/** In the order of the page. */
const sections = [
  summarySection,
  fieldSection,
  partSection,
  pathSection,
  typeSection,
  similaritySection,
  errorSection,
  hallucinationSection,
  outputSection,
  performanceSection,
  complexitySection,
  calibrationSection,
  consistencySection,
  tagSection,
] as const;

/**
 * The report of an extraction run, a file a section, recommendations last; sections without anything to show
 * are left out, values that were not measured stay null.
 * Source: docs/spec/extraction.md, sections 5 to 11.
 * @example extractionReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export function extractionReport(
  { metrics, breakdown }: Summary,
  run: ReportedRun<ExtractionOptions>,
): ReportSection[] {
  const facts = { ...run, metrics, breakdown: breakdownSchema.parse(breakdown) };
  const drawn = sections.map((section) => section(facts)).filter((section) => section !== null);
  return [...drawn, adviceSection(extractionAdvice(facts))];
}
