import type { ReportSection, Tone } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { figureText } from "../../../measures/report/figure-text.ts";
import { labelOf } from "../metrics.ts";
import type { ReportFacts } from "./report-facts.ts";

/** What came back, in the order of the page. */
const statuses = [
  ["status answered", "Answered", "read", "A text with a word or more."],
  ["status empty", "Without a word", "empty", "Nothing, or signs alone."],
  ["status refused", "Refused", "refused", "The endpoint says that the model refused."],
  ["status error", "Request failed", "failed", "No answer was had."],
] as const satisfies readonly (readonly [string, string, Tone, string])[];

const formats = {
  responseWords: "count",
  truncatedRate: "percent",
  unsupportedRate: "percent",
} as const;

/**
 * What came back: answers, refusals, failures; length, cut-offs and language.
 * Source: docs/spec/quality.md.
 * @example responseSection(facts).id // "responses"
 */
export function responseSection({ metrics, breakdown }: ReportFacts): ReportSection {
  const rows = Object.entries(formats).map(([id, format]) => ({
    measure: labelOf(id),
    value: figureText(metrics[id]?.value ?? null, format),
    n: metrics[id]?.n ?? 0,
  }));
  return {
    id: "responses",
    title: "What came back",
    intro: "A response without a word scores 0 in everything.",
    blocks: [
      {
        kind: "stack",
        title: "Responses",
        unit: "responses",
        parts: statuses.map(([name, label, tone, definition]) => ({
          label,
          count: breakdown.counts[name] ?? 0,
          tone,
          definition,
        })),
      },
      ...tableOf(
        "Length, cut-offs and language",
        [
          ["measure", "Measure", "text"],
          ["value", "Value", "figure"],
          ["n", "n", "count"],
        ],
        rows,
      ),
    ],
  };
}
