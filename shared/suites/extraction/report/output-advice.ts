import type { ErrorClass } from "../../../contracts/answer.ts";
import type { Advice } from "../../../measures/report/advice/advice.ts";
import { failureActions } from "../../../measures/report/advice/failure-actions.ts";
import { metricValue } from "../../../measures/report/charts/blocks.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { levelNames } from "../../../measures/report/figures/tier.ts";
import { thresholds } from "../thresholds.ts";
import { worstText } from "./compared-figures.ts";
import { measured, missedTarget, type ReportFacts } from "./report-facts.ts";

/** Modes in which the endpoint enforces the schema. */
const binding = new Set(["json_schema_strict", "json_schema", "structured_outputs", "guided_json"]);

/** From this share on, answers without an enforced schema count as the cause. */
const tellingShare = 0.05;

/**
 * Outputs that are not JSON or do not fit the schema, if there are more than the target of validity allows: change
 * the mode if it did not enforce the schema, else the prompt. Ignores truncated, refused and missing answers.
 * Source: docs/spec/extraction.md, sections 1 and 6.
 * @example validityAdvice(facts)[0]?.change // "mode"
 */
export function validityAdvice(facts: ReportFacts): Advice | null {
  const off = missedTarget(facts, "validity");
  const { metrics, breakdown } = facts;
  const unparsed = metricValue(metrics, "parseFailureRate") ?? 0;
  const unfit = metricValue(metrics, "schemaFailureRate") ?? 0;
  const cut = breakdown.answers === 0 ? 0 : breakdown.truncated / breakdown.answers;
  const allowed = 1 - thresholds.find(({ metric }) => metric === "validity")!.target;
  if (off === null || unparsed + unfit <= allowed || cut > (unparsed + unfit) / 2) return null;
  const shares = `${figureText(unparsed, "percent")} of the answers are not JSON, ${figureText(unfit, "percent")} do not fit the schema.`;
  const finding = `${off.text} ${shares}${worstText(facts, "validity")}`;
  const mode = modeAction(breakdown.structuredModes);
  return {
    ...off.figure,
    tone: off.tone,
    finding,
    ...(mode !== null
      ? { change: "mode", action: mode }
      : { change: "prompt", action: promptAction(unparsed > unfit) }),
  };
}

function modeAction(modes: Readonly<Record<string, number>>): string | null {
  const known = Object.entries(modes);
  const total = known.reduce((sum, [, count]) => sum + count, 0);
  const loose = known.filter(([mode]) => !binding.has(mode));
  const free = loose.reduce((sum, [, count]) => sum + count, 0);
  const change =
    "Let the endpoint enforce the schema: serve the model with structured outputs, and choose that mode with the option structuredOutput.";
  if (total === 0) return `No answer is known to have an enforced schema. ${change}`;
  if (free < tellingShare * total) return null;
  const names = loose.map(([mode, count]) => `${mode}: ${count}`).join(", ");
  return `The schema was not enforced for ${free} of ${total} answers (${names}). ${change}`;
}

function promptAction(isUnparsed: boolean): string {
  return isUnparsed
    ? "Ask in the prompt for only the JSON, without text or code fences around it."
    : "The samples say which rules of the schema were broken: name required properties and allowed values in the prompt.";
}

const otherAction: Pick<Advice, "change" | "action"> = {
  change: "parameters",
  action: "Check the endpoint's own log for these requests, then retry the failed samples.",
};

/**
 * Requests that failed more often than the target allows, and what to do about the most frequent error class.
 * Source: docs/spec/extraction.md, sections 6 and 10.
 * @example failureAdvice(facts)[0]?.cell // "Success rate, whole run"
 */
export function failureAdvice(facts: ReportFacts): Advice | null {
  const off = missedTarget(facts, "successRate");
  const [most] = Object.entries(facts.breakdown.errors).sort(([, a], [, b]) => b - a);
  if (off === null || most === undefined) return null;
  const [name, count] = most;
  return {
    ...off.figure,
    tone: off.tone,
    finding: `${off.text} The most frequent failure: ${name} (${count}). Each failed request scores 0.${worstText(facts, "successRate")}`,
    ...(failureActions[name as ErrorClass] ?? otherAction),
  };
}

/** The rate counts spurious fields only. */
const kinds = {
  fabricated: {
    words: "are not in the text",
    action: "Tell the model to leave out, or set to null, everything that the text does not say.",
  },
  misplaced: {
    words: "are elsewhere in the text",
    action: "Say in the schema or the prompt which value belongs to which field.",
  },
  surplus: {
    words: "belong to surplus elements",
    action: "Say in the prompt what counts as an element of each list, and not to repeat elements.",
  },
} as const;
type Kind = keyof typeof kinds;

const figureId = "hallucinationRateOfValid";

/**
 * Fields invented in valid outputs, if there are more than the target allows. (The headline rate includes invalid
 * outputs, which say nothing about invention.)
 * Source: docs/spec/extraction.md, sections 6 and 8.
 * @example hallucinationAdvice(facts)[0]?.change // "prompt"
 */
export function hallucinationAdvice(facts: ReportFacts): Advice | null {
  const figure = measured(facts, figureId);
  const { target, minimum } = thresholds.find(({ metric }) => metric === "hallucinationRate")!;
  if (figure === null || figure.value <= target) return null;
  const { hallucinations } = facts.breakdown.errorAnalysis;
  const [most, ...others] = Object.keys(kinds) as [Kind, ...Kind[]];
  const kind = others.reduce((a, b) => (hallucinations[b] > hallucinations[a] ? b : a), most);
  return {
    ...figure,
    tone: figure.value > minimum ? "poor" : "fair",
    change: "prompt",
    finding: `${figureText(figure.value, "percent")} of the fields of valid outputs were not asked for; “${levelNames.target}” is ${figureText(target, "percent")} or less. ${hallucinations[kind]} of them ${kinds[kind].words}.${worstText(facts, figureId)}`,
    action: kinds[kind].action,
  };
}
