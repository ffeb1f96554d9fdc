import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import { patternWords } from "../pattern-words.ts";
import type { ReportFacts } from "../report-facts.ts";
import { firstSample } from "./first-sample.ts";
import { measured } from "./measured.ts";
import { worstText } from "./worst-group.ts";

/** Below this more outputs differ from what is expected than not. */
const leastExact = 0.5;

/** Where EQS falls below this, other advice says what is wrong. Source: thresholds, target. */
const goodEqs = 0.85;

/**
 * Outputs that mostly differ in some value although EQS is good, and the error that is most common among them.
 * Source: docs/spec/extraction.md, sections 5, 6 and 8.
 * @example exactAdvice(facts)[0]?.cell // "Exact match, whole run"
 */
export function exactAdvice(facts: ReportFacts): Advice[] {
  const [exact, eqs] = [measured(facts, "exactMatch"), measured(facts, "eqs")];
  if (exact === null || eqs === null || eqs.value < goodEqs) return [];
  if (exact.interval === null || exact.interval[1] >= leastExact) return [];
  const [most] = facts.breakdown.errorAnalysis.common;
  const named =
    most === undefined
      ? "Read the samples for what differs, and say in the prompt in which form values are wanted."
      : `Mend the most common error first: ${patternWords(most.pattern)} at “${most.path || "the root"}” (${figureText(most.count, "count")}${firstSample(most.example)}). Say in the schema or the prompt in which form its value is wanted.`;
  return [
    {
      ...exact,
      tone: "fair",
      change: "prompt",
      action: named,
      finding: `Only ${figureText(exact.value, "percent")} of the outputs equal the expected one in every value, though EQS is ${figureText(eqs.value, "score")}.${worstText(facts, "exactMatch")}`,
    },
  ];
}
