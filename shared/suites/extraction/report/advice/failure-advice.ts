import type { ErrorClass } from "../../../../contracts/answer.ts";
import type { Advice } from "../../../../measures/report/advice.ts";
import { failureActions } from "../../../../measures/report/failure-actions.ts";
import type { ReportFacts } from "../report-facts.ts";
import { offTarget } from "./measured.ts";
import { worstText } from "./worst-group.ts";

const otherAction: Pick<Advice, "change" | "action"> = {
  change: "parameters",
  action:
    "Look into the endpoint's own log for these requests, then have the failed samples answered again.",
};

/**
 * Requests that failed more often than the target allows, and what to do about the most frequent class of
 * them.
 * Source: docs/spec/extraction.md, sections 6 and 10.
 * @example failureAdvice(facts)[0]?.cell // "Success rate, whole run"
 */
export function failureAdvice(facts: ReportFacts): Advice[] {
  const off = offTarget(facts, "successRate");
  const [most] = Object.entries(facts.breakdown.errors).sort(([, a], [, b]) => b - a);
  if (off === null || most === undefined) return [];
  const [name, count] = most;
  return [
    {
      ...off.figure,
      tone: off.tone,
      finding: `${off.text} The most frequent failure: ${name} (${count}). Each failed request earns 0.${worstText(facts, "successRate")}`,
      ...(failureActions[name as ErrorClass] ?? otherAction),
    },
  ];
}
