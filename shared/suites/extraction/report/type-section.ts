import type { MatrixBlock, ReportSection } from "../../../contracts/report.ts";
import { folded, tableOf } from "../../../measures/report/blocks.ts";
import { fieldTypes, predictedTypes } from "../sum/tallies.ts";
import { lostLabels, lostPresent } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

type Fields = ReportFacts["breakdown"]["fields"];
type Expected = (typeof fieldTypes)[number];
type Lost = ReturnType<typeof lostPresent>[number];
type Stands = (typeof predictedTypes)[number] | Lost;

/** Counts by expected type, then by what stands in its place. */
type Counts = Readonly<Record<Expected, Readonly<Record<Stands, number>>>>;

/**
 * Expected type against what stands in its place: as shares of each expected type, and as counts.
 * Source: docs/spec/extraction.md, section 7.
 * @example typeSection(facts).id // "types"
 */
export function typeSection({ breakdown }: ReportFacts): ReportSection {
  const counts = countsOf(breakdown.fields);
  const [expected, stands] = present(counts, lostPresent(breakdown.errorAnalysis.lost));
  return {
    id: "types",
    title: "Types",
    intro:
      "Expected fields by type (rows) and by what the output has in their place (columns); “null” is an explicit null, “absent” nothing at all in a valid output. Types that do not occur are left out.",
    blocks: [
      shares(counts, expected, stands),
      ...folded(
        tableOf(
          "Expected and predicted type, fields",
          [
            ["expected", "Expected", "text"],
            ...stands.map((one): [string, string, "count"] => [one, labelOf(one), "count"]),
          ],
          expected.map((type) => ({
            expected: type,
            ...Object.fromEntries(stands.map((one) => [one, counts[type][one]])),
          })),
        ),
      ),
    ],
  };
}

/** Fields of which nothing came count as absent, or null, in the confusion itself. */
function countsOf({ typeConfusion, byType }: Fields): Counts {
  const rows = fieldTypes.map((type) => {
    const { invalidOutput = 0, failedRequest = 0 } = byType.find(({ name }) => name === type) ?? {};
    const lost = invalidOutput + failedRequest;
    const { absent, ...its } = typeConfusion[type];
    return [type, { ...its, absent: absent - lost, invalidOutput, failedRequest }] as const;
  });
  return Object.fromEntries(rows) as Counts;
}

function present(counts: Counts, lost: readonly Lost[]): [Expected[], Stands[]] {
  const expected = fieldTypes.filter((type) => countOf(counts, type) > 0);
  const stands = (one: Stands) => expected.some((type) => type === one || counts[type][one] > 0);
  return [expected, [...predictedTypes.filter(stands), ...lost]];
}

const labelOf = (one: Stands): string =>
  one === "invalidOutput" || one === "failedRequest" ? lostLabels[one].label.toLowerCase() : one;

const countOf = (counts: Counts, type: Expected): number =>
  Object.values(counts[type]).reduce((sum, count) => sum + count, 0);

function shares(
  counts: Counts,
  expected: readonly Expected[],
  stands: readonly Stands[],
): MatrixBlock {
  return {
    kind: "matrix",
    title: "What stands in place of each type",
    rows: { label: "Expected", names: [...expected] },
    columns: { label: "Predicted", names: stands.map(labelOf) },
    cells: expected.map((type) => stands.map((one) => counts[type][one] / countOf(counts, type))),
    format: "percent",
    scale: "share",
  };
}
