import type { MatrixBlock, ReportSection } from "../../../contracts/report.ts";
import { folded, tableOf } from "../../../measures/report/blocks.ts";
import { fieldTypes, predictedTypes } from "../tallies.ts";
import type { ReportFacts } from "./report-facts.ts";

type Confusion = ReportFacts["breakdown"]["fields"]["typeConfusion"];
type Expected = (typeof fieldTypes)[number];
type Predicted = (typeof predictedTypes)[number];

/**
 * Expected type against what stands in its place: as shares of each expected type, and as counts.
 * Source: specification of the extraction suite, section 7.
 * @example typeSection(facts).id // "types"
 */
export function typeSection({ breakdown }: ReportFacts): ReportSection {
  const { typeConfusion } = breakdown.fields;
  const [expected, predicted] = presentTypes(typeConfusion);
  return {
    id: "types",
    title: "Types",
    intro:
      "Expected fields by type (rows) and by what the output has in their place (columns); “null” is an explicit null, “absent” nothing at all. Types that do not occur are left out.",
    blocks: [
      shares(typeConfusion, expected, predicted),
      ...folded(
        tableOf(
          "Expected and predicted type, fields",
          [
            ["expected", "Expected", "text"],
            ...predicted.map((type): [string, string, "count"] => [type, type, "count"]),
          ],
          expected.map((type) => ({
            expected: type,
            ...Object.fromEntries(predicted.map((stands) => [stands, typeConfusion[type][stands]])),
          })),
        ),
      ),
    ],
  };
}

function presentTypes(confusion: Confusion): [Expected[], Predicted[]] {
  const expected = fieldTypes.filter((type) => countOf(confusion, type) > 0);
  const stands = (one: Predicted) =>
    expected.some((type) => type === one || confusion[type][one] > 0);
  return [expected, predictedTypes.filter(stands)];
}

function countOf(confusion: Confusion, type: Expected): number {
  return predictedTypes.reduce((sum, stands) => sum + confusion[type][stands], 0);
}

function shares(
  confusion: Confusion,
  expected: readonly Expected[],
  predicted: readonly Predicted[],
): MatrixBlock {
  return {
    ...{ kind: "matrix", title: "What stands in place of each type" },
    rows: { label: "Expected", names: [...expected] },
    columns: { label: "Predicted", names: [...predicted] },
    cells: expected.map((type) =>
      predicted.map((stands) => confusion[type][stands] / countOf(confusion, type)),
    ),
    ...{ format: "percent", scale: "share" },
  };
}
