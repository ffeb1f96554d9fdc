import type { Advice } from "../../../measures/report/advice.ts";
import { answerAdvice, shareAdvice } from "../../../measures/report/answer-advice.ts";
import { comparedByTag } from "../../../measures/report/compared-by-tag.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { isBelow, knownMetric, valueText } from "../../../measures/report/known-metric.ts";
import { weakestPart } from "../../../measures/report/weakest-part.ts";
import { percentile } from "../../../stats/percentile.ts";
import { labelOf, qualityMetrics } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Where the gauge's fair zone begins. */
const leastValue = 0.5;
/** Correlation with people from which on a metric says something of what they like. */
const leastCorrelation = 0.3;
/** Shares that can be borne: of answers without a word, and of answers in other scripts. */
const mostEmpty = 0.02;
const mostUnsupported = 0.05;
/** The weakest components that are named. */
const mostComponents = 2;

const known = ({ metrics }: ReportFacts, id: string) => knownMetric(id, metrics, qualityMetrics);

/**
 * What to change by component, of those in which a good response reaches 1: the shares of distinct and of rare
 * words are far below in any text.
 */
const remedies: Readonly<Record<string, Pick<Advice, "change" | "action">>> = {
  connector: prompt("Ask for sentences that say how they follow from each other."),
  pronoun: prompt("Ask the model to name what it speaks of rather than to begin with a pronoun."),
  topic: prompt("Ask for one thread, in which each sentence takes up an earlier one."),
  keyword: prompt("Ask the model to take up the terms of the question, in full sentences."),
  question: prompt("Ask it to answer the questions of the prompt one by one."),
  task: prompt("Ask it to carry out the tasks of the prompt one by one, naming each."),
  paragraph: prompt("Ask for a paragraph for each hundred words."),
  introduction: prompt("Ask for a first sentence that says what the response is about."),
  conclusion: prompt("Ask for a last sentence that sums up."),
  repetition: {
    change: "parameters",
    action: "Sweep frequency_penalty and presence_penalty, and see whether repetition falls.",
  },
};

function prompt(action: string): Pick<Advice, "change" | "action"> {
  return { change: "prompt", action };
}

/** Responses that are far longer or shorter than their prompts ask for. */
function length(facts: ReportFacts): Advice[] {
  const fit = known(facts, "length");
  if (!isBelow(fit, leastValue)) return [];
  const ratio = medianRatio(facts);
  const finding = `Length is ${valueText(fit)}`;
  const aim = `about ${facts.options.lengthRatio} words for each of the prompt`;
  if (ratio === null) {
    return [
      {
        ...{ ...fit, tone: "fair", ...prompt(`Say in the prompt how long to answer: ${aim}.`) },
        finding: `${finding}: responses are far from the length that their prompts ask for.`,
      },
    ];
  }
  const [side, action] =
    ratio > 1
      ? ["too long", `Ask for shorter responses, ${aim}, or sweep max_tokens.`]
      : ["too short", `Ask for longer responses, ${aim}, and see that maxTokens leaves room.`];
  return [
    {
      ...{ ...fit, tone: "fair", ...prompt(action) },
      finding: `${finding}: responses are ${side}, half of them at ${ratio.toFixed(2)} times the ideal length or ${ratio > 1 ? "more" : "less"}.`,
    },
  ];
}

/** Words / ideal words of the response in the middle; null without points. */
function medianRatio({ points }: ReportFacts): number | null {
  const ratios = (points?.points ?? []).flatMap(({ features: { lengthRatio } }) =>
    typeof lengthRatio === "number" && lengthRatio > 0 ? [lengthRatio] : [],
  );
  return percentile(
    ratios.sort((a, b) => a - b),
    0.5,
  );
}

function weakComponents(facts: ReportFacts): Advice[] {
  return Object.entries(remedies)
    .flatMap(([id, remedy]) => {
      const component = known(facts, id);
      if (!isBelow(component, leastValue)) return [];
      const finding = `${component.cell} is among the weakest components, ${valueText(component)}.`;
      return [{ ...component, tone: "fair", finding, ...remedy } satisfies Advice];
    })
    .sort((a, b) => a.value - b.value)
    .slice(0, mostComponents);
}

function weakestTag(facts: ReportFacts): Advice[] {
  const { cells, value: whole } = comparedByTag(qualityMetrics[0]!, facts);
  const worst = weakestPart(cells, whole);
  if (worst === null || whole === null) return [];
  const { label, value, interval, n } = worst;
  return [
    {
      ...{ tone: "fair", change: "prompt", cell: `Overall quality, ${label}` },
      ...{ value, interval: [...interval], format: "score", n },
      finding: `Overall quality is lowest for ${label}: ${figureText(value, "score")} beside ${figureText(whole, "score")} of all samples.`,
      action:
        "Read its worst responses, and give prompts of this kind a system message of their own.",
    },
  ];
}

function emptyResponses({ breakdown: { counts, answers } }: ReportFacts): Advice[] {
  return shareAdvice({
    ...{ tone: "poor", change: "model", cell: "Empty responses", limit: mostEmpty, n: answers },
    count: (counts["status empty"] ?? 0) + (counts["status refused"] ?? 0),
    finding: "are refused or have no word.",
    action: "Read what was refused; take a model that answers such prompts.",
  });
}

function otherScripts({ breakdown: { counts, answers } }: ReportFacts): Advice[] {
  return shareAdvice({
    ...{ tone: "fair", change: "data", cell: "Unsupported language", limit: mostUnsupported },
    ...{ count: counts["language unsupported"] ?? 0, n: answers },
    finding: "are not in Latin letters, so that their scores mean little.",
    action: "Evaluate English prompts alone, or ask for English; the metrics are made for it.",
  });
}

/** Metrics that do not go with people say little about what to choose. */
function people({ breakdown: { human } }: ReportFacts): Advice[] {
  const overall = human?.metrics.find(({ metric }) => metric === "overall");
  const { value = null, interval = null } = overall?.spearman ?? {};
  if (overall === undefined || value === null || interval === null) return [];
  if (interval[1] >= leastCorrelation) return [];
  return [
    {
      ...{ tone: "poor", change: "data", cell: "Spearman with people, overall quality" },
      ...{ value, interval, format: "score", n: overall.n },
      finding: `Overall quality does not go with what people gave: Spearman's correlation is ${figureText(value, "score")}.`,
      action:
        "Rest no choice on this score for such prompts; have people or judges rate the responses.",
    },
  ];
}

function wrongModel(facts: ReportFacts): Advice[] {
  const overall = known(facts, "overall");
  if (!isBelow(overall, leastValue)) return [];
  return [
    {
      ...{ ...overall, tone: "poor", change: "model" },
      finding: `${labelOf("overall")} is ${valueText(overall)}, clearly below ${figureText(leastValue, "score")}.`,
      action: "Take a stronger model; the leaderboard of this dataset names some.",
    },
  ];
}

/** What to change, each by its own figure. */
const rules: readonly ((facts: ReportFacts) => Advice[])[] = [
  ({ breakdown, options }) => answerAdvice(breakdown.counts, breakdown.answers, options.maxTokens),
  ...[emptyResponses, wrongModel, people, length, weakComponents, weakestTag, otherScripts],
];

/**
 * What to change about a run, by rules that each rest on a figure; none where nothing is clearly off.
 * Source: specification of the quality suite.
 * @example qualityAdvice(facts)[0]?.change // "prompt"
 */
export const qualityAdvice = (facts: ReportFacts): Advice[] => rules.flatMap((rule) => rule(facts));
