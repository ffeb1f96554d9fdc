import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How alike repeats of a sample are; null without repeats.
 * Source: specification of the extraction suite, section 11.
 * @example consistencySection(facts)?.id // "consistency"
 */
export function consistencySection({ breakdown }: ReportFacts): ReportSection | null {
  const { consistency } = breakdown;
  if (consistency === null) return null;
  const { samples, modalShare, fieldAgreement, fields, valueDeviation } = consistency;
  return {
    id: "consistency",
    title: "Consistency",
    intro: `How alike the repeats of ${samples} samples are.`,
    blocks: tableOf(
      "Repeats",
      [
        ["measure", "Measure", "text"],
        ["value", "Value", "score"],
        ["n", "n", "count"],
      ],
      [
        { measure: "Repeats equal to the most frequent output", value: modalShare, n: samples },
        { measure: "Pairs of repeats that agree on a field", value: fieldAgreement, n: fields },
        {
          measure: "Standard deviation of a numeric field",
          ...{ value: valueDeviation, n: consistency.numericFields },
        },
      ],
    ),
  };
}
