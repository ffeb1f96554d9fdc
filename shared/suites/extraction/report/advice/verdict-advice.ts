import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import type { ReportFacts } from "../report-facts.ts";
import { measured } from "./measured.ts";
import { worstText } from "./worst-group.ts";

/**
 * A run that falls below what any use needs.
 * Source: docs/spec/extraction.md, section 6.
 * @example verdictAdvice(facts)[0]?.change // "model"
 */
export function verdictAdvice(facts: ReportFacts): Advice[] {
  const [eqs, hallucination] = [measured(facts, "eqs"), measured(facts, "hallucinationRate")];
  if (facts.breakdown.recommendation !== "not recommended" || !eqs || !hallucination) return [];
  const rate = figureText(hallucination.value, "percent");
  return [
    {
      ...eqs,
      tone: "poor",
      change: "model",
      finding: `EQS ${figureText(eqs.value, "score")} with a hallucination rate of ${rate} falls below what any use needs, even with every output reviewed.${worstText(facts, "eqs")}`,
      action:
        "Mend what is named beside this first; where that does not do, take a model that stands higher on the leaderboard.",
    },
  ];
}
