import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import { patternWords } from "../pattern-words.ts";
import type { ReportFacts } from "../report-facts.ts";
import { worstGroup } from "./worst-group.ts";

/**
 * The complexity bin or value of a tag with clearly the lowest EQS, and the error that is most frequent there;
 * complex schemas have advice of their own where they are weak in fields, too.
 * Source: docs/spec/extraction.md, sections 6 to 8.
 * @example groupAdvice(facts)[0]?.cell // "EQS, language: de"
 */
export function groupAdvice(facts: ReportFacts): Advice[] {
  const worst = worstGroup(facts, "eqs");
  const whole = facts.metrics["eqs"]?.value ?? null;
  if (worst === null || whole === null || isNamed(facts, worst.label)) return [];
  const { label, figure, group } = worst;
  const [pattern, count] = Object.entries(group.patterns)[0] ?? [];
  const common =
    pattern === undefined ? "" : ` Most frequent there: ${patternWords(pattern)} (${count}).`;
  const how =
    pattern === undefined ? "what is wanted" : `how to avoid the error “${patternWords(pattern)}”`;
  return [
    {
      ...figure,
      tone: "fair",
      change: "prompt",
      finding: `EQS is lowest for ${label}: ${figureText(figure.value, "score")} beside ${figureText(whole, "score")} of the whole run.${common}`,
      action: `Add an example of ${label} to the prompt, and say ${how}.`,
    },
  ];
}

const isNamed = ({ breakdown }: ReportFacts, label: string): boolean =>
  label === "schemas: complex" &&
  breakdown.fields.byComplexity.some(
    ({ name, standing }) => name === "complex" && standing === "below",
  );
