import type { Advice } from "../../../../measures/report/advice.ts";
import { figureText } from "../../../../measures/report/figure-text.ts";
import type { ReportFacts } from "../report-facts.ts";

/**
 * Complex schemas on which the model is clearly weaker than over the whole run.
 * Source: docs/spec/extraction.md, section 7.
 * @example complexityAdvice(facts)[0]?.change // "data"
 */
export function complexityAdvice({ breakdown, metrics }: ReportFacts): Advice[] {
  const cell = breakdown.fields.byComplexity.find(({ name }) => name === "complex");
  const whole = metrics["partialF1"]?.value ?? null;
  if (cell?.standing !== "below" || whole === null) return [];
  const { partialF1: value, interval, n } = cell;
  return [
    {
      tone: "fair",
      cell: "Partial F1 of complex schemas",
      format: "score",
      change: "data",
      value,
      interval,
      n,
      finding: `Schemas of more than 15 fields or deeper than 2 come out clearly weaker than the run (${figureText(value, "score")} against ${figureText(whole, "score")}).`,
      action: "Split such schemas, and ask for their parts one by one.",
    },
  ];
}
