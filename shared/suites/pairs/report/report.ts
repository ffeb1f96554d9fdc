import { adviceSection } from "../../../measures/report/advice/advice.ts";
import { metricNamed } from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { pairsMetrics } from "../metrics.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { pairsAdvice, type ReportFacts } from "./advice-rules.ts";
import { biasSection } from "./bias-section.ts";
import { modelSection } from "./model-section.ts";
import { summarySection } from "./summary-section.ts";

const figure = (id: string) => metricNamed(pairsMetrics, id);

/**
 * The report of a judge on pairs: whether it is right, what else decides its verdicts, the models that it compared,
 * tags, performance, and advice.
 * @example pairsReport(summary, { options, points: null, timeline: null })[0]?.id // "summary"
 */
export const pairsReport = suiteReport(breakdownSchema, [
  summarySection,
  biasSection,
  modelSection,
  ({ breakdown, options }) => {
    const other = options.rankBy === "accuracy" ? "consistency" : "accuracy";
    return tagSection(
      breakdown.tags,
      { figures: [figure(options.rankBy), figure(other)], steps: shareSteps, things: "Pairs" },
      "pairs",
    );
  },
  passSection,
  (facts) =>
    performanceSection(facts, {
      intro: "Times of answered requests, in milliseconds, of both requests of a pair together.",
      headline: figure(facts.options.rankBy),
      catalogue: pairsMetrics,
    }),
  (facts: ReportFacts) => adviceSection(pairsAdvice(facts)),
]);
