import { judges } from "../../../judges/judges.ts";
import { judgingTable } from "../../../measures/judging/judge-blocks.ts";
import { judgeSection, labelledSection } from "../../../measures/judging/judge-section.ts";
import { unjudgedSection } from "../../../measures/judging/unjudged-section.ts";
import { adviceSection } from "../../../measures/report/advice/advice.ts";
import {
  intervalColumn,
  metricNamed,
  metricValue,
  type NamedMetric,
  type SectionParts,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { memoryMetrics } from "../metrics.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { memoryAdvice } from "./advice-rules.ts";
import { claimSection, keySection } from "./key-section.ts";
import { countedSection, metricSection } from "./metric-section.ts";
import { judgedLabel, type ReportFacts } from "./report-facts.ts";
import { summarySection } from "./summary-section.ts";

const figure = (id: string) => metricNamed(memoryMetrics, id);

/**
 * The report of a memory run, one file per section: the citation score, the twelve metrics with their judges,
 * memories, claims, other counts, judges and people, unjudged values, tags, performance with judging listed
 * separately, and advice.
 * Source: docs/spec/memory.md.
 * @example memoryReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const memoryReport = suiteReport(breakdownSchema, [
  summarySection,
  metricSection,
  keySection,
  claimSection,
  countedSection,
  ({ breakdown }) => judgeSection(breakdown, judges),
  ({ breakdown }) => labelledSection(breakdown, judges),
  (facts) => unjudgedSection(facts, judgedLabel),
  ({ breakdown }) =>
    tagSection(breakdown.tags, {
      figures: [figure("mcs"), ...["memory_utilization", "groundedness", "safety"].map(figure)],
      steps: shareSteps,
      things: "Answers",
    }),
  passSection,
  (facts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds, without judging.",
      headline: { label: "memory citation score", format: "percent" },
      catalogue: memoryMetrics,
    }),
  judgingSection,
  (facts: ReportFacts) => adviceSection(memoryAdvice(facts)),
]);

/**
 * Cost and time of judging, shown separately.
 * Source: docs/spec/memory.md, judges.
 * @example judgingSection(facts).id // "judging"
 */
function judgingSection({ metrics }: ReportFacts): SectionParts {
  return {
    id: "judging",
    title: "Judging",
    intro:
      "Cost and time of judging, which are not part of the model's figures; calls run in parallel.",
    blocks: [
      tableOf(
        "Time of all calls",
        [
          ["label", "Time", "text"],
          ["value", "Value", "ms", ({ id }) => metricValue(metrics, id)],
          intervalColumn<NamedMetric>(({ id }) => metrics[id]?.interval ?? null, "ms"),
        ],
        [
          "generationTime",
          "evaluationTime",
          "totalTime",
          "generationTimeMean",
          "evaluationTimeMean",
        ].map(figure),
      ),
      judgingTable(metrics),
    ],
  };
}
