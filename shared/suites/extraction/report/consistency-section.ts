import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * How alike repeats of a sample are; null without repeats.
 * Source: docs/spec/extraction.md, section 11.
 * @example consistencySection(facts)?.id // "consistency"
 */
export function consistencySection({ breakdown, metrics }: ReportFacts): ReportSection | null {
  const { consistency } = breakdown;
  if (consistency === null) return null;
  const { samples, modalShare, fieldAgreement, fields, valueDeviation } = consistency;
  const intervalOf = (id: string) => intervalText(metrics[id]?.interval ?? null);
  return {
    id: "consistency",
    title: "Consistency",
    intro: `How alike the repeats of ${samples} samples are.`,
    blocks: tableOf(
      "Repeats",
      [
        ["measure", "Measure", "text"],
        ["value", "Value", "score"],
        ["interval", "95% interval", "figure"],
        ["n", "n", "count"],
      ],
      [
        {
          measure: "Repeats equal to the most frequent output",
          value: modalShare,
          interval: intervalOf("outputConsistency"),
          n: samples,
        },
        {
          measure: "Pairs of repeats that agree on a field",
          value: fieldAgreement,
          interval: intervalOf("fieldConsistency"),
          n: fields,
        },
        {
          measure: "Standard deviation of a numeric field",
          value: valueDeviation,
          interval: intervalOf("valueDeviation"),
          n: consistency.numericFields,
        },
      ],
    ),
  };
}
