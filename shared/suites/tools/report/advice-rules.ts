import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { answerAdvice, shareAdvice } from "../../../measures/report/advice/answer-advice.ts";
import {
  adviceAbove,
  adviceBelow,
  balanceAdvice,
  knownMetric,
  valueText,
} from "../../../measures/report/advice/known-metric.ts";
import { weakestAdvice } from "../../../measures/report/advice/weakest-part.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { toolsMetrics } from "../metrics.ts";
import { failureClasses } from "../score/failures.ts";
import type { ToolsBreakdown } from "../sum/breakdown.ts";
import { functionCells, wholeShare } from "./function-section.ts";
import { thresholdDigits, thresholdText } from "./hybrid-section.ts";
import { comparedFigures, failureLabels, isRouted, type ReportFacts } from "./report-facts.ts";

/** Longest acceptable time; unlimited if time is not part of the ranking score. */
const longestMs = (facts: ReportFacts): number =>
  isRouted(facts) ? facts.options.timeBaselineMs : Number.POSITIVE_INFINITY;

/** Highest acceptable share of malformed and unreadable calls. */
const mostBroken = 0.02;
/** Below these shares, calls that violate their schema, or calls although none is right, are mentioned. */
const leastValidity = 0.95;
const leastIrrelevance = 0.9;
/** Start of the gauge's fair zone: below it a model is of little use. */
const leastF1 = 0.5;
/** Minimum gain of the total for which another threshold is recommended. */
const leastGain = 0.01;

const known = ({ metrics }: ReportFacts, id: string) => knownMetric(id, metrics, toolsMetrics);

/** Advice rules, in this order, each with its own figure. */
const rules: AdviceRules<ReportFacts> = {
  unanswered: ({ breakdown, options }) =>
    answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  malformed: ({ breakdown, options }) =>
    shareAdvice({
      tone: "poor",
      change: "mode",
      cell: "Malformed arguments",
      things: "expected calls",
      count: breakdown.failures.malformedArguments,
      limit: mostBroken,
      n: breakdown.functions.reduce((sum, { expected }) => sum + expected, 0),
      finding: "were made with arguments that are not a JSON object.",
      action:
        options.toolMode === "native"
          ? "Try toolMode: prompt, or an endpoint that enforces the schema of tool calls; check that maxTokens is large enough."
          : "Use native tool calls (toolMode: native) if the endpoint supports them.",
    }),
  unreadable: ({ breakdown: { counts, answers } }) =>
    shareAdvice({
      tone: "poor",
      change: "mode",
      cell: "Unreadable calls",
      limit: mostBroken,
      count: counts["from unreadable"] ?? 0,
      n: answers,
      finding: "are text without a readable call.",
      action:
        "Use native tool calls (toolMode: native) if the endpoint supports them, else show the form of a call in toolPrompt.",
    }),
  wrongModel: (facts) =>
    adviceBelow(known(facts, "avgF1"), leastF1, (f1) => ({
      tone: "poor",
      change: "model",
      finding: `Call F1 is ${valueText(f1)}, clearly below ${figureText(leastF1, "score")}.`,
      action:
        "Use a model that was trained to call functions; see the leaderboard of this dataset.",
    })),
  balance: (facts) =>
    balanceAdvice(known(facts, "precision"), known(facts, "recall"), {
      missing: [
        "calls are left out.",
        "Say in the system message that all calls for a request must be made at once.",
      ],
      extra: [
        "the model makes calls that are not expected.",
        "Tell the model in the system message to make only calls that the request asks for.",
      ],
    }),
  irrelevance: (facts) =>
    adviceBelow(known(facts, "irrelevanceAccuracy"), leastIrrelevance, (rate) => ({
      tone: "fair",
      change: "prompt",
      finding: `Of the samples for which no call is right, only ${valueText(rate)} have no call.`,
      action: "Say in the system message that no tool may fit, and what to do then.",
    })),
  validity: (facts) =>
    adviceBelow(known(facts, "schemaValidity"), leastValidity, (rate) => ({
      tone: "fair",
      change: "mode",
      finding: `Only ${valueText(rate)} of the calls fit the parameters of their tool.`,
      action: "Let the endpoint enforce the schema of tools (strict tool calls), if it can.",
    })),
  weakestFunction: ({ breakdown }) =>
    weakestAdvice(
      { cells: functionCells(breakdown), value: wholeShare(breakdown) },
      ({ label, value }, whole) => ({
        tone: "fair",
        change: "data",
        cell: `Matched calls of ${label}`,
        format: "percent",
        finding: `${figureText(value, "percent")} of the expected calls of ${label} are matched, against ${figureText(whole, "percent")} of all. Most frequent: ${mostFrequent(breakdown, label)}.`,
        action:
          "Rewrite the description of this function and of its parameters, with the form of each value.",
      }),
    ),
  weakestCell: (facts) =>
    weakestAdvice(comparedFigures(facts)[0], ({ label, value }, whole) => ({
      tone: "fair",
      change: "prompt",
      cell: `Call F1, ${label}`,
      format: "score",
      finding: `Call F1 is lowest for ${label}: ${figureText(value, "score")} against ${figureText(whole, "score")} over all samples.`,
      action:
        "Read the worst of these samples, and add an example of such a request to the system message.",
    })),
  slowness: (facts) =>
    adviceAbove(known(facts, "avgTime"), longestMs(facts), (time) => ({
      tone: "fair",
      change: "model",
      finding: `Answers take ${valueText(time)} on average, clearly longer than the baseline of ${figureText(facts.options.timeBaselineMs, "ms")}, at which the time score is 0.`,
      action: "Use a smaller model or a nearer endpoint, or let the device answer more requests.",
    })),
  threshold,
};

/**
 * Advice on a run, by rules that each use one figure; empty if no figure is clearly bad.
 * Source: docs/spec/tools.md.
 * @example toolsAdvice(facts)[0]?.change // "mode"
 */
export const toolsAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);

function mostFrequent({ functions, ...breakdown }: ToolsBreakdown, name: string): string {
  const failures = functions.find((one) => one.name === name)?.failures;
  const count = (id: (typeof failureClasses)[number]) => failures?.[id] ?? 0;
  const [first = "wrongArgument"] = [...failureClasses].sort((a, b) => count(b) - count(a));
  const argument = breakdown.arguments.find(
    (one) => one.name.startsWith(`${name}(`) && one.failures[first] > 0,
  );
  const text = failureLabels[first].toLowerCase();
  return argument === undefined ? text : `${text}, ${argument.name}`;
}

/** Advises another threshold that would give a higher total for the same answers. */
function threshold({ breakdown, metrics }: ReportFacts): Advice | null {
  const { hybrid } = breakdown;
  const total = metrics["total"]?.value ?? null;
  if (hybrid === null || hybrid.best === null || total === null) return null;
  const { best, curve } = hybrid;
  if (best.threshold === hybrid.threshold || best.total - total < leastGain) return null;
  return {
    tone: "good",
    change: "parameters",
    cell: `Total with ${thresholdText(best, curve)}`,
    value: best.total,
    interval: null,
    format: "percent",
    n: breakdown.answers,
    finding: `With ${thresholdText(best, curve)} the same answers would have scored ${figureText(best.total, "percent")}, against ${figureText(total, "percent")} at this run's ${hybrid.threshold}.${otherF1(hybrid)}`,
    action: `${best.threshold === null ? "Ask only the cloud" : `Set confidenceThreshold to ${thresholdDigits(best.threshold, curve)}`}, and confirm it with a new run: it was chosen on these samples.`,
  };
}

/** Call F1 at the best threshold, which may be lower, because the total also counts speed and source. */
function otherF1({ best, curve, threshold: own }: NonNullable<ToolsBreakdown["hybrid"]>): string {
  const chosen = curve.find((point) => point.threshold === own);
  if (!best || !chosen) return "";
  return ` Call F1 would have been ${figureText(best.avgF1, "score")}, against ${figureText(chosen.avgF1, "score")}.`;
}
