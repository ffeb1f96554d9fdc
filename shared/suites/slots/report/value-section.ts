import type { ReportSection } from "../../../contracts/report.ts";
import { metricBars } from "../../../measures/report/blocks.ts";
import { slotsMetrics } from "../metrics.ts";
import { type ReportFacts, steps } from "./report-facts.ts";
import { slotOutcomes } from "./slot-outcomes.ts";

/**
 * Whether stored values are the expected ones: what became of all slots, and the figures by value and token.
 * Source: docs/spec/slots.md, metrics.
 * @example valueSection(facts).id // "values"
 */
export function valueSection({ metrics, breakdown }: ReportFacts): ReportSection {
  const { exact, other, missed, extra } = slotOutcomes(breakdown);
  const bars = (title: string, ids: readonly string[]) =>
    metricBars(title, ids, metrics, { catalogue: slotsMetrics, steps });
  const part = (
    label: string,
    count: number,
    tone: "right" | "other" | "missed" | "extra",
    definition: string,
  ) => ({ label, count, tone, definition });
  return {
    id: "values",
    title: "With which values",
    intro:
      "Values are compared in canonical form: lower case, without punctuation, in any order. Tokens give credit for a value that is right in part.",
    blocks: [
      {
        kind: "stack",
        title: "What became of slots",
        unit: "slots",
        parts: [
          part("Right value", exact, "right", "Stored with exactly the expected values."),
          part("Other value", other, "other", "Stored, with other values than expected."),
          part("Missed", missed, "missed", "Expected, and nothing stored."),
          part("Extra", extra, "extra", "Stored, and not expected."),
        ],
      },
      bars("By value", ["valueF1", "valuePrecision", "valueRecall", "exactMatchCoverage"]),
      bars("By token", ["tokenF1", "tokenPrecision", "tokenRecall", "bleu1"]),
    ],
  };
}
