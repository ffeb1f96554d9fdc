import type { ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { fieldTypes, predictedTypes } from "../tallies.ts";
import type { ReportFacts } from "./report-facts.ts";

/**
 * Expected type against what stands in its place.
 * Source: specification of the extraction suite, section 7.
 * @example typeSection(facts).id // "types"
 */
export function typeSection({ breakdown }: ReportFacts): ReportSection {
  const { typeConfusion } = breakdown.fields;
  return {
    id: "types",
    title: "Types",
    intro:
      "Expected fields by type (rows) and by what the output has in their place (columns); “null” is an explicit null, “absent” nothing at all.",
    blocks: tableOf(
      "Expected and predicted type",
      [
        ["expected", "Expected", "text"],
        ...predictedTypes.map((type) => [type, type, "count"] as ["string", string, "count"]),
      ],
      fieldTypes.map((type) => ({ expected: type, ...typeConfusion[type] })),
    ),
  };
}
