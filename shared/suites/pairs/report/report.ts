import { adviceSection } from "../../../measures/report/advice/advice.ts";
import {
  alsoNote,
  asBrief,
  figureColumns,
  metricNamed,
  type SectionParts,
  stackOf,
  tableOf,
} from "../../../measures/report/charts/blocks.ts";
import { shareSteps } from "../../../measures/report/charts/tone-steps.ts";
import { passSection } from "../../../measures/report/parts/pass-section.ts";
import { tagSection } from "../../../measures/report/parts/tag-blocks.ts";
import { performanceSection } from "../../../measures/report/performance/performance-blocks.ts";
import { suiteReport } from "../../../measures/report/run/suite-report.ts";
import { biasMetrics, pairsMetrics } from "../metrics.ts";
import { breakdownSchema } from "../sum/breakdown.ts";
import { pairsAdvice, type ReportFacts } from "./advice-rules.ts";
import { modelSection } from "./model-section.ts";
import { summarySection } from "./summary-section.ts";

const figure = (id: string) => metricNamed(pairsMetrics, id);

/**
 * The report of a judge on pairs: accuracy, position and length bias, the models that it compared,
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

/** The expected value of each figure for an unbiased judge. */
const unbiased: Readonly<Record<string, string>> = {
  firstShare: "50%",
  firstTwice: "0%",
  secondTwice: "0%",
  longerWins: "as by the labels",
};

/**
 * Whether the position or the length of an answer decides: counts of both orders together, and the shares.
 * Source: Zheng et al. 2023, Judging LLM-as-a-Judge with MT-Bench and Chatbot Arena, section 3.3.
 * @example biasSection(facts).id // "bias"
 */
function biasSection({ metrics, breakdown: { counts } }: ReportFacts): SectionParts {
  const count = (name: string) => counts[`orders ${name}`] ?? 0;
  return {
    id: "bias",
    title: "Position and length",
    intro:
      "A judge without position bias gives the same verdict in both orders. A pair whose orders differ counts as a tie.",
    blocks: [
      stackOf("Both orders together", "pairs", [
        ["Same answer", count("same"), "right", "The same answer won in both orders."],
        ["Tie", count("tie"), "neutral", "A tie in both orders."],
        ["Tie in one order", count("half"), "close", "One order is a tie, the other is not."],
        ["First", count("first"), "kind0", "The first answer won in both orders."],
        ["Second", count("second"), "kind1", "The second answer won in both orders."],
        ["Without two verdicts", count("unjudged"), "failed", "An order has no verdict."],
      ]),
      asBrief(
        tableOf(
          "What decided, with 95% intervals",
          [
            ["label", "Share of pairs", "text"],
            ...figureColumns(metrics, "Pairs"),
            ["without", "Without bias", "text", ({ id }) => unbiased[id] ?? null],
          ],
          biasMetrics,
        ),
      ),
      alsoNote(counts, [
        ["status error", "pairs have no verdict because a request failed"],
        ["status refused", "pairs were refused in both orders"],
        ["status empty", "answers are empty"],
        ["truncated", "answers were cut off at the token limit"],
      ]),
    ],
  };
}
