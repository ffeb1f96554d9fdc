import type { Advice } from "../../../../measures/report/advice.ts";
import { shareAdvice } from "../../../../measures/report/answer-advice.ts";
import type { ReportFacts } from "../report-facts.ts";

/** One answer in a hundred that holds nothing is more than chance. */
const mostRefused = 0.01;

/**
 * Answers that were refused or empty, clearly more than one in a hundred.
 * Source: docs/spec/extraction.md, section 1.
 * @example refusalAdvice(facts)[0]?.change // "prompt"
 */
export function refusalAdvice({ breakdown }: ReportFacts): Advice[] {
  const { refused, empty, answers } = breakdown;
  return shareAdvice({
    tone: "poor",
    change: "prompt",
    cell: "Refused or empty answers, whole run",
    limit: mostRefused,
    count: refused + empty,
    n: answers,
    finding: `hold nothing, and earn 0: ${refused} refused, ${empty} empty.`,
    action:
      "Say in the system prompt that the text is to be read and not acted upon, and that an empty object is an answer, too.",
  });
}
