import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import { countText, lostText, lostTotals } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

const types = [
  ["fabricated", "Fabricated (critical)", "madeUp", "Not expected, and not in the text."],
  ["wrongValue", "Wrong value (critical)", "wrong", "The value is wrong, and not in the text."],
  [
    "misplaced",
    "Misplaced (moderate)",
    "other",
    "Not expected here, though the text has the value.",
  ],
  [
    "surplus",
    "Surplus (minor)",
    "partExtra",
    "A field of an element too many, or an element too many of a list of values.",
  ],
] as const;

/**
 * Hallucinations by type and severity, and the rates that count them.
 * Source: docs/spec/extraction.md, section 8.
 * @example hallucinationSection(facts).id // "hallucinations"
 */
export function hallucinationSection({ breakdown, metrics }: ReportFacts): ReportSection {
  const rates = [
    ["hallucinationRate", "Of all outputs (headline)"],
    ["hallucinationRateOfValid", "Of valid outputs"],
    ["criticalHallucinationRate", "Critical, of all predicted fields"],
  ] as const;
  return {
    id: "hallucinations",
    title: "Hallucinations",
    intro: `Values that should not be there, by how they came about. The headline rate is a mean over samples: it counts spurious fields, and an invalid output or a failed request as if all of it were made up. Critical values are counted over all predicted fields and take in wrong values that are not in the text, so that their share can be the larger one. The chart counts values, and so valid outputs alone.${madeUpText(breakdown.errorAnalysis.lost)}`,
    blocks: [
      {
        kind: "stack",
        title: "Hallucinations by type",
        unit: "values",
        parts: types.map(([id, label, tone, definition]) => ({
          label,
          tone,
          definition,
          count: breakdown.errorAnalysis.hallucinations[id],
        })),
      },
      ...tableOf(
        "Hallucination rates",
        [
          ["of", "Rate", "text"],
          ["value", "Value", "percent"],
          ["interval", "95% interval", "figure"],
          ["n", "Samples", "count"],
        ],
        rates.map(([id, label]) => {
          const { value = null, interval = null, n = 0 } = metrics[id] ?? {};
          return { of: label, value, interval: intervalText(interval, "percent"), n };
        }),
      ),
    ],
  };
}

/** How many answers the headline rate counts as wholly made up. */
function madeUpText(lost: ReportFacts["breakdown"]["errorAnalysis"]["lost"]): string {
  const { invalidOutput, failedRequest } = lostTotals(lost);
  const answers = invalidOutput.answers + failedRequest.answers;
  if (answers === 0) return "";
  return ` The headline counts ${countText(answers, "answer")} of this run as wholly made up: ${lostText(lost)}.`;
}
