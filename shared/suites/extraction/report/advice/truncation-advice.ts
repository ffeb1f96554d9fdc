import type { Advice } from "../../../../measures/report/advice.ts";
import { shareAdvice } from "../../../../measures/report/answer-advice.ts";
import type { ReportFacts } from "../report-facts.ts";

/** One answer in a hundred that is cut off is more than chance. */
const mostCut = 0.01;

/**
 * Answers cut off at the token limit, clearly more than one in a hundred.
 * Source: docs/spec/extraction.md, section 1.
 * @example truncationAdvice(facts)[0]?.change // "parameters"
 */
export function truncationAdvice({ breakdown, options }: ReportFacts): Advice[] {
  return shareAdvice({
    tone: "poor",
    change: "parameters",
    cell: "Cut off answers, whole run",
    limit: mostCut,
    count: breakdown.truncated,
    n: breakdown.answers,
    finding:
      "were cut off at the token limit; what is missing of them counts as missed, or makes them invalid.",
    action: `Raise maxTokens above ${options.maxTokens.toLocaleString("en")}, or ask for less at a time.`,
  });
}
