import {
  type Advice,
  type AdviceRules,
  applyRules,
} from "../../../measures/report/advice/advice.ts";
import { shareAdvice } from "../../../measures/report/advice/answer-advice.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { worstText } from "./compared-figures.ts";
import { complexityAdvice, fieldAdvice, firstSample, groupAdvice } from "./field-advice.ts";
import { patternText } from "./missed-fields.ts";
import { failureAdvice, hallucinationAdvice, validityAdvice } from "./output-advice.ts";
import { measured, missedTarget, type ReportFacts } from "./report-facts.ts";

/** Largest half-width of an interval that still separates neighbouring models. */
const wantedReach = 0.05;

/** From this correlation on, output length explains most of the variance of latency. */
const strongCorrelation = 0.7;

/** Below this, more than half of the outputs differ from the expected ones. */
const leastExact = 0.5;

/** If EQS is below this, other advice names the problem. Source: thresholds, target. */
const goodEqs = 0.85;

/** Below this, more than one repeat in ten differs from the most frequent output. */
const leastConsistency = 0.9;

/** A rate of truncated answers above this is not chance. */
const mostCut = 0.01;

/** A rate of refused or empty answers above this is not chance. */
const mostRefused = 0.01;

/** Advice rules, each with its own figure, in the order in which to apply changes. */
const rules: AdviceRules<ReportFacts> = {
  failures: failureAdvice,
  truncation: truncationAdvice,
  validity: validityAdvice,
  refusals: refusalAdvice,
  hallucinations: hallucinationAdvice,
  balance: balanceAdvice,
  fields: fieldAdvice,
  exactMatch: exactAdvice,
  complexity: complexityAdvice,
  groups: groupAdvice,
  consistency: consistencyAdvice,
  latency: latencyAdvice,
  verdict: verdictAdvice,
  sampleSize: sizeAdvice,
};

/**
 * Advice on an extraction run, by rules that each use one figure; empty if no figure is clearly bad.
 * Source: docs/spec/extraction.md.
 * @example extractionAdvice(facts).map(({ change }) => change) // ["mode", "prompt"]
 */
export const extractionAdvice = (facts: ReportFacts): Advice[] => applyRules(rules, facts);

/**
 * An interval of EQS that is too wide for comparisons, and how many samples are needed: its width falls with the
 * square root of their number.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example sizeAdvice(facts)[0]?.change // "data"
 */
function sizeAdvice(facts: ReportFacts): Advice | null {
  const figure = measured(facts, "eqs");
  if (!figure?.interval) return null;
  const reach = (figure.interval[1] - figure.interval[0]) / 2;
  if (reach <= wantedReach) return null;
  const needed = Math.ceil((figure.n * (reach / wantedReach) ** 2) / 10) * 10;
  return {
    ...figure,
    tone: "neutral",
    change: "data",
    finding: `EQS is only known within ±${figureText(reach, "score")}, which is too wide to distinguish models of similar rank.`,
    action: `Evaluate more samples: about ${needed.toLocaleString("en")} would bring it within ±${wantedReach}.`,
  };
}

/**
 * A run that is not good enough for any use.
 * Source: docs/spec/extraction.md, section 6.
 * @example verdictAdvice(facts)[0]?.change // "model"
 */
function verdictAdvice(facts: ReportFacts): Advice | null {
  const [eqs, hallucination] = [measured(facts, "eqs"), measured(facts, "hallucinationRate")];
  if (facts.breakdown.recommendation !== "not recommended" || !eqs || !hallucination) return null;
  const rate = figureText(hallucination.value, "percent");
  return {
    ...eqs,
    tone: "poor",
    change: "model",
    finding: `EQS ${figureText(eqs.value, "score")} with a hallucination rate of ${rate} is too low for any use, even if every output is reviewed.${worstText(facts, "eqs")}`,
    action:
      "Fix the other findings first. If that is not enough, choose a model with a higher rank on the leaderboard.",
  };
}

/**
 * A p95 latency above its target: shorten outputs if latency correlates with their length, else change the model
 * or its endpoint.
 * Source: docs/spec/extraction.md, sections 6, 7 and 10.
 * @example latencyAdvice(facts)[0]?.change // "model"
 */
function latencyAdvice(facts: ReportFacts): Advice | null {
  const off = missedTarget(facts, "latencyP95");
  if (off === null) return null;
  const byOutput = facts.breakdown.complexity.correlations.find(
    ({ id }) => id === "latencyByOutput",
  );
  const r = byOutput?.r ?? 0;
  const isByOutput = r >= strongCorrelation;
  return {
    ...off.figure,
    tone: off.tone,
    finding: isByOutput
      ? `${off.text} It correlates with the length of the output (r = ${r.toFixed(2)}).`
      : off.text,
    ...(isByOutput
      ? {
          change: "parameters",
          action: "Ask for fewer fields in one request, and for JSON without indentation.",
        }
      : {
          change: "model",
          action: "Use a smaller model, or an endpoint with more capacity.",
        }),
  };
}

/**
 * Precision and recall whose 95% intervals do not overlap, unless many outputs are invalid, which lowers recall.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example balanceAdvice(facts)[0]?.cell // "Partial recall, whole run"
 */
function balanceAdvice(facts: ReportFacts): Advice | null {
  const [precision, recall] = [
    measured(facts, "partialPrecision"),
    measured(facts, "partialRecall"),
  ];
  if (!precision?.interval || !recall?.interval || missedTarget(facts, "validity") !== null)
    return null;
  const shown = (value: number) => figureText(value, "score");
  if (recall.interval[1] < precision.interval[0]) {
    return {
      ...recall,
      tone: "fair",
      change: "prompt",
      finding: `The model omits more than it invents: recall ${shown(recall.value)}, precision ${shown(precision.value)}.${worstText(facts, "partialRecall")}`,
      action:
        "Ask for every field that the text gives, including those that the schema does not require.",
    };
  }
  if (precision.interval[1] < recall.interval[0]) {
    return {
      ...precision,
      tone: "fair",
      change: "prompt",
      finding: `The model gives more than the text says: precision ${shown(precision.value)}, recall ${shown(recall.value)}.${worstText(facts, "partialPrecision")}`,
      action: "Ask only for what the text says explicitly, without placeholders for the rest.",
    };
  }
  return null;
}

/**
 * Most outputs differ in some value although EQS is good; names the most common error.
 * Source: docs/spec/extraction.md, sections 5, 6 and 8.
 * @example exactAdvice(facts)[0]?.cell // "Exact match, whole run"
 */
function exactAdvice(facts: ReportFacts): Advice | null {
  const [exact, eqs] = [measured(facts, "exactMatch"), measured(facts, "eqs")];
  if (exact === null || eqs === null || eqs.value < goodEqs) return null;
  if (exact.interval === null || exact.interval[1] >= leastExact) return null;
  const [most] = facts.breakdown.errorAnalysis.common;
  const named =
    most === undefined
      ? "Look in the samples for the differences, and state the required form of values in the prompt."
      : `Correct the most common error first: ${patternText(most.pattern)} at “${most.path || "the root"}” (${figureText(most.count, "count")}${firstSample(most.example)}). State the required form of its value in the schema or the prompt.`;
  return {
    ...exact,
    tone: "fair",
    change: "prompt",
    action: named,
    finding: `Only ${figureText(exact.value, "percent")} of the outputs equal the expected one in every value, though EQS is ${figureText(eqs.value, "score")}.${worstText(facts, "exactMatch")}`,
  };
}

/**
 * Repeats that differ, if the temperature is not 0.
 * Source: docs/spec/extraction.md, section 11.
 * @example consistencyAdvice(facts)[0]?.cell // "Output consistency, whole run"
 */
function consistencyAdvice(facts: ReportFacts): Advice | null {
  const figure = measured(facts, "outputConsistency");
  const { temperature } = facts.options;
  if (figure === null || figure.value >= leastConsistency || temperature === 0) return null;
  const known = temperature === null ? "which the endpoint chose" : `which was ${temperature}`;
  return {
    ...figure,
    tone: "fair",
    change: "parameters",
    finding: `Only ${figureText(figure.value, "percent")} of the repeats equal the most frequent output of their sample.`,
    action: `Lower the temperature, ${known}.`,
  };
}

/**
 * Answers cut off at the token limit, clearly more than one in a hundred.
 * Source: docs/spec/extraction.md, section 1.
 * @example truncationAdvice(facts)[0]?.change // "parameters"
 */
function truncationAdvice({ breakdown, options }: ReportFacts): Advice | null {
  return shareAdvice({
    tone: "poor",
    change: "parameters",
    cell: "Cut off answers, whole run",
    limit: mostCut,
    count: breakdown.truncated,
    n: breakdown.answers,
    finding:
      "were cut off at the token limit; the missing part counts as missed, or makes them invalid.",
    action: `Raise maxTokens above ${options.maxTokens.toLocaleString("en")}, or ask for fewer fields in one request.`,
  });
}

/**
 * Answers that were refused or empty, clearly more than one in a hundred.
 * Source: docs/spec/extraction.md, section 1.
 * @example refusalAdvice(facts)[0]?.change // "prompt"
 */
function refusalAdvice({ breakdown }: ReportFacts): Advice | null {
  const { refused, empty, answers } = breakdown;
  return shareAdvice({
    tone: "poor",
    change: "prompt",
    cell: "Refused or empty answers, whole run",
    limit: mostRefused,
    count: refused + empty,
    n: answers,
    finding: `contain no output, and score 0: ${refused} refused, ${empty} empty.`,
    action:
      "State in the system prompt that the text is data, not instructions, and that an empty object is a valid answer.",
  });
}
