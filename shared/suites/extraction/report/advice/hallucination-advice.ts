import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import { thresholds } from "../../thresholds.ts";
import type { ReportFacts } from "../report-facts.ts";
import { measured } from "./measured.ts";
import { worstText } from "./worst-group.ts";

/** Those that the rate counts: spurious fields. */
const kinds = {
  fabricated: {
    words: "are not in the text",
    action: "Tell the model to leave out, or set to null, whatever the text does not say.",
  },
  misplaced: {
    words: "stand elsewhere in the text",
    action: "Say in the schema or the prompt which value belongs to which field.",
  },
  surplus: {
    words: "belong to elements too many",
    action: "Say in the prompt what counts as an element of each list, and that none is repeated.",
  },
} as const;
type Kind = keyof typeof kinds;

const figureId = "hallucinationRateOfValid";

/**
 * Fields made up in valid outputs, where these are more than the target allows (the headline rate has invalid
 * outputs in it, which are no matter of invention).
 * Source: docs/spec/extraction.md, sections 6 and 8.
 * @example hallucinationAdvice(facts)[0]?.change // "prompt"
 */
export function hallucinationAdvice(facts: ReportFacts): Advice[] {
  const figure = measured(facts, figureId);
  const { target, minimum } = thresholds.find(({ metric }) => metric === "hallucinationRate")!;
  if (figure === null || figure.value <= target) return [];
  const { hallucinations } = facts.breakdown.errorAnalysis;
  const [most, ...others] = Object.keys(kinds) as [Kind, ...Kind[]];
  const kind = others.reduce((a, b) => (hallucinations[b] > hallucinations[a] ? b : a), most);
  return [
    {
      ...figure,
      tone: figure.value > minimum ? "poor" : "fair",
      change: "prompt",
      finding: `${figureText(figure.value, "percent")} of the fields of valid outputs were not asked for; the target is ${figureText(target, "percent")} or less. ${hallucinations[kind]} of them ${kinds[kind].words}.${worstText(facts, figureId)}`,
      action: kinds[kind].action,
    },
  ];
}
