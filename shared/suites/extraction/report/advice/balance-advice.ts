import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import type { ReportFacts } from "../report-facts.ts";
import { measured, offTarget } from "./measured.ts";
import { worstText } from "./worst-group.ts";

/**
 * Precision and recall whose 95% intervals do not touch, where invalid outputs, which lose recall, are few.
 * Source: docs/spec/extraction.md, sections 5 and 6.
 * @example balanceAdvice(facts)[0]?.cell // "Partial recall, whole run"
 */
export function balanceAdvice(facts: ReportFacts): Advice[] {
  const [precision, recall] = [
    measured(facts, "partialPrecision"),
    measured(facts, "partialRecall"),
  ];
  if (!precision?.interval || !recall?.interval || offTarget(facts, "validity") !== null) return [];
  const shown = (value: number) => figureText(value, "score");
  if (recall.interval[1] < precision.interval[0]) {
    return [
      {
        ...recall,
        tone: "fair",
        change: "prompt",
        finding: `The model leaves out more than it makes up: recall ${shown(recall.value)}, precision ${shown(precision.value)}.${worstText(facts, "partialRecall")}`,
        action:
          "Ask for every field that the text gives, also for those that the schema does not require.",
      },
    ];
  }
  if (precision.interval[1] < recall.interval[0]) {
    return [
      {
        ...precision,
        tone: "fair",
        change: "prompt",
        finding: `The model gives more than is there: precision ${shown(precision.value)}, recall ${shown(recall.value)}.${worstText(facts, "partialPrecision")}`,
        action:
          "Ask for what the text says explicitly, and for nothing in place of what it does not.",
      },
    ];
  }
  return [];
}
