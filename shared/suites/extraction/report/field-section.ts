import type { Estimate } from "../../../contracts/metric.ts";
import type { ReportSection } from "../../../contracts/report.ts";
import { modes } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

const categoryParts = [
  ["exact", "Exact", "excellent", "The value is right: the same, or as good as."],
  ["partial", "Partial", "good", "Close to the expected value; worth half."],
  ["incorrect", "Incorrect", "poor", "A value for the right field, but not the right one."],
  ["missed", "Missed", "missed", "Expected and not there; all fields of an invalid output."],
  ["spurious", "Spurious", "extra", "Predicted where nothing was expected."],
] as const;

const compositeParts = [
  ["excellent", "Excellent", "excellent", "Composite from 0.95."],
  ["good", "Good", "good", "From 0.80."],
  ["fair", "Fair", "fair", "From 0.60."],
  ["poor", "Poor", "poor", "From 0.40."],
  ["veryPoor", "Very poor", "missed", "Below 0.40."],
] as const;

/**
 * What became of all fields, how close the matched ones are, and F1 in the three modes.
 * Source: specification of the extraction suite, sections 4, 5 and 7.
 * @example fieldSection(facts).id // "fields"
 */
export function fieldSection({ metrics, breakdown }: ReportFacts): ReportSection {
  return {
    id: "fields",
    title: "Fields",
    intro: "What became of each field, and what that makes of precision and recall.",
    blocks: [
      {
        ...{ kind: "stack", title: "Fields by category", unit: "fields" },
        parts: categoryParts.map(([id, label, tone, definition]) => ({
          ...{ label, tone, definition, count: breakdown.categories[id] },
        })),
      },
      {
        ...{ kind: "stack", title: "Matched fields by composite", unit: "matched fields" },
        parts: compositeParts.map(([id, label, tone, definition]) => ({
          ...{ label, tone, definition, count: breakdown.fields.compositeBins[id] },
        })),
      },
      {
        ...{ kind: "bars", title: "F1 in the three modes", format: "score" },
        bars: modes.map((mode) => bar(mode.label, metrics[`${mode.id}F1`])),
      },
    ],
  };
}

function bar(label: string, estimate: Estimate | undefined) {
  const { value = null, interval = null, n = 0 } = estimate ?? {};
  return { label, value, interval, n, tone: "neutral" as const };
}
