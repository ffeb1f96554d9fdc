import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import type { ReportFacts } from "../report-facts.ts";
import { measured } from "./measured.ts";

/** Below this, more than one repeat in ten differs from the most frequent output. */
const leastConsistency = 0.9;

/**
 * Repeats that differ, where the temperature lets them.
 * Source: docs/spec/extraction.md, section 11.
 * @example consistencyAdvice(facts)[0]?.cell // "Output consistency, whole run"
 */
export function consistencyAdvice(facts: ReportFacts): Advice[] {
  const figure = measured(facts, "outputConsistency");
  const { temperature } = facts.options;
  if (figure === null || figure.value >= leastConsistency || temperature === 0) return [];
  const known = temperature === null ? "which the endpoint chose" : `which was ${temperature}`;
  return [
    {
      ...figure,
      tone: "fair",
      change: "parameters",
      finding: `Only ${figureText(figure.value, "percent")} of the repeats equal the most frequent output of their sample.`,
      action: `Lower the temperature, ${known}.`,
    },
  ];
}
