import { metricNamed, type SectionParts } from "../../../measures/report/charts/blocks.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { labelOf, partIds, qualityMetrics } from "../metrics.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { componentIds } from "../sum/columns.ts";
import { humanSection } from "./human-section.ts";
import { bars, type ReportFacts } from "./report-facts.ts";
import { responseSection, spreadSection } from "./spread-section.ts";
import { summarySection } from "./summary-section.ts";

const figure = (id: string) => metricNamed(qualityMetrics, id);

/**
 * The report of a quality run, one file per section: the five metrics, their components, the spread of responses, tags,
 * human ratings, outcomes of requests, and performance. There are no recommendations.
 * Source: docs/spec/quality.md.
 * @example qualityReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const qualityReport = suiteReport(breakdownSchema, [
  summarySection,
  componentSection,
  spreadSection,
  ({ breakdown }) =>
    tagSection(breakdown.tags, {
      figures: [figure("overall"), ...partIds.map(figure)],
      steps: [],
      things: "Answers",
    }),
  humanSection,
  responseSection,
  passSection,
  (facts: ReportFacts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds. None of it is part of the scores.",
      headline: { label: "overall form", format: "score" },
      catalogue: qualityMetrics,
    }),
]);

/**
 * Components of each metric.
 * Source: docs/spec/quality.md.
 * @example componentSection(facts).id // "components"
 */
function componentSection({ metrics }: ReportFacts): SectionParts {
  const parts = partIds.filter((id) => componentIds[id].length > 0);
  return {
    id: "components",
    title: "Components",
    intro: "Each metric except length is the mean of three components.",
    blocks: parts.map((part) => bars(labelOf(part), componentIds[part], metrics)),
  };
}
