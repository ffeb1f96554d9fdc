import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { groupColumns, groupRows } from "./group-rows.ts";
import type { ReportFacts } from "./report-facts.ts";

const featureLabels = {
  totalFields: "Fields",
  requiredFields: "Required fields",
  optionalFields: "Optional fields",
  maxDepth: "Depth",
  typeDiversity: "Types",
  enumFields: "Fields with an enum",
  formatFields: "Fields with a format",
  hasArrays: "Share with arrays",
  hasNestedObjects: "Share with nested objects",
} as const;

/**
 * Results by complexity of the schema, and what goes together with F1 and latency.
 * Source: specification of the extraction suite, section 7.
 * @example complexitySection(facts).id // "complexity"
 */
export function complexitySection({ breakdown }: ReportFacts): ReportSection {
  const { bins, features, correlations } = breakdown.complexity;
  const names = Object.keys(featureLabels) as (keyof typeof featureLabels)[];
  return {
    id: "complexity",
    title: "Complexity of schemas",
    intro:
      "Complex: more than 15 fields or deeper than 2; simple: under 5 fields and no deeper than 1; else medium. Correlations are Pearson's, over samples.",
    blocks: [
      ...tableOf("Results by complexity", groupColumns("Schemas"), groupRows(bins)),
      ...tableOf(
        "Correlations",
        [
          ["measure", "Measure", "text"],
          ["by", "With", "text"],
          ["r", "r", "score"],
          ["p", "p", "score"],
          ["n", "Samples", "count"],
        ],
        correlations.map(({ measure, by, r, p, n }) => ({ measure, by, r, p, n })),
      ),
      ...tableOf(
        "Schemas of this run, means",
        [
          ["feature", "Feature", "text"],
          ["mean", "Mean", "score"],
        ],
        features === null
          ? []
          : names.map((name) => ({ feature: featureLabels[name], mean: features[name] })),
      ),
    ],
  };
}
