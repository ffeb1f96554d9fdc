import type { MatrixBlock } from "../../../contracts/report.ts";
import {
  asFolded,
  type BlockParts,
  type Column,
  intervalColumn,
  noteIf,
  type SectionParts,
  tableOf,
  withSamples,
} from "../../../measures/report/charts/blocks.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { belowParts, partInterval } from "../../../measures/report/figures/part-interval.ts";
import { fieldTypes, predictedTypes } from "../sum/tallies.ts";
import { lostKindsPresent, lostLabels, type MissedFields, missedColumns } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

type Expected = (typeof fieldTypes)[number];
type Lost = ReturnType<typeof lostKindsPresent>[number];
type Found = (typeof predictedTypes)[number] | Lost;

/** Counts by expected type, then by predicted type. */
type Counts = Readonly<Record<Expected, Readonly<Record<Found, number>>>>;

/**
 * Expected against predicted type: as shares of each expected type, and as counts.
 * Source: docs/spec/extraction.md, section 7.
 * @example typeSection(facts).id // "types"
 */
export function typeSection({ breakdown }: ReportFacts): SectionParts {
  const counts = countsOf(breakdown.fields);
  const [expected, found] = present(counts, lostKindsPresent(breakdown.errorAnalysis.lost));
  return {
    id: "types",
    title: "Types",
    intro:
      "Expected fields by type (rows) and by what the output has in their place (columns): “null” is an explicit null, “absent” no value in a valid output.",
    blocks: [
      shares(counts, expected, found),
      asFolded(
        tableOf(
          "Expected and predicted type, fields",
          [
            ["expected", "Expected", "text", (type) => type],
            ...found.map(
              (one): Column<Expected> => [one, labelOf(one), "count", (type) => counts[type][one]],
            ),
          ],
          expected,
        ),
      ),
    ],
  };
}

/** Separates fields of lost outputs, which the confusion matrix counts as absent or null. */
function countsOf({ typeConfusion, byType }: ReportFacts["breakdown"]["fields"]): Counts {
  const rows = fieldTypes.map((type) => {
    const { invalidOutput = 0, failedRequest = 0 } = byType.find(({ name }) => name === type) ?? {};
    const lost = invalidOutput + failedRequest;
    const { absent, ...its } = typeConfusion[type];
    return [type, { ...its, absent: absent - lost, invalidOutput, failedRequest }] as const;
  });
  return Object.fromEntries(rows) as Counts;
}

function present(counts: Counts, lost: readonly Lost[]): [Expected[], Found[]] {
  const expected = fieldTypes.filter((type) => countOf(counts, type) > 0);
  const isFound = (one: Found) => expected.some((type) => type === one || counts[type][one] > 0);
  return [expected, [...predictedTypes.filter(isFound), ...lost]];
}

const labelOf = (one: Found): string =>
  one === "invalidOutput" || one === "failedRequest" ? lostLabels[one].label.toLowerCase() : one;

const countOf = (counts: Counts, type: Expected): number =>
  Object.values(counts[type]).reduce((sum, count) => sum + count, 0);

function shares(
  counts: Counts,
  expected: readonly Expected[],
  found: readonly Found[],
): MatrixBlock {
  return {
    kind: "matrix",
    title: "Predicted type by expected type",
    rows: { label: "Expected", names: [...expected] },
    columns: { label: "Predicted", names: found.map(labelOf) },
    cells: expected.map((type) => found.map((one) => counts[type][one] / countOf(counts, type))),
    format: "percent",
    scale: "share",
  };
}

type Fields = ReportFacts["breakdown"]["fields"];

/**
 * The name paths with the lowest partial F1.
 * Source: docs/spec/extraction.md, section 7.
 * @example pathSection(facts).id // "paths"
 */
export function pathSection({ breakdown }: ReportFacts): SectionParts {
  const { byPath, crowds, pathsLeft } = breakdown.fields;
  const lost = lostKindsPresent(breakdown.errorAnalysis.lost);
  const sorted = [...byPath].sort((a, b) => a.partialF1 - b.partialF1 || b.n - a.n);
  const hardest = sorted.filter(({ partialF1 }) => partialF1 < 1);
  const right = sorted.length - hardest.length;
  return {
    id: "paths",
    title: "Hardest fields",
    intro:
      "Fields in at least three samples, lowest partial F1 first. The items of a list count as one field.",
    blocks: [
      pathTable(hardest, lost),
      crowdTable(crowds, lost),
      noteIf("Left out", `${rightText(right)}${leftText(pathsLeft)}`),
    ],
  };
}

function pathTable(hardest: Fields["byPath"], lost: readonly Lost[]): BlockParts {
  const [table, ...more] = tableOf(
    "Fields by path",
    [
      ["path", "Path", "text", ({ name }) => name || "(root)"],
      ["n", "Samples", "count"],
      ["partialF1", "Partial F1", "score"],
      intervalColumn<Fields["byPath"][number]>(({ n, interval }) => partInterval(n, interval)),
      ...outcomeColumns(lost),
    ],
    hardest,
  );
  const linked = withSamples([table], hardest, ({ name }) => ({
    path: name || "(root)",
    verdict: "wrong",
  }));
  const parts = hardest
    .slice(0, table.rows.length)
    .map(({ n, partialF1: value }) => ({ n, value }));
  return [{ ...linked[0], ...belowParts(parts) }, ...more];
}

const outcomeColumns = (lost: readonly Lost[]): Column<MissedFields>[] => [
  ["exact", "Exact", "count"],
  ["partial", "Partial", "count"],
  ["incorrect", "Incorrect", "count"],
  ...missedColumns(lost),
  ["spurious", "Spurious", "count"],
];

const counted = (count: number): string => figureText(count, "count");

const rightText = (count: number): string =>
  count === 0
    ? ""
    : ` ${counted(count)} ${count === 1 ? "path is" : "paths are"} right in every sample.`;

function leftText({ rare, rareFields, paths, fields }: Fields["pathsLeft"]): string {
  const few =
    rare > 0 ? ` ${counted(rare)} paths (${counted(rareFields)} fields) are in fewer samples.` : "";
  const past =
    fields > 0
      ? ` Not listed: about ${counted(paths)} paths (${counted(fields)} fields), selected at random because the table's limit is reached.`
      : "";
  return few + past;
}

/** Empty if every name was counted separately. */
function crowdTable(crowds: Fields["crowds"], lost: readonly Lost[]): BlockParts {
  if (crowds.length === 0) return null;
  return tableOf(
    "Names that no schema lists, too many to list",
    [
      ["path", "Any name at", "text", ({ at }) => (at === null ? "any path" : at || "(root)")],
      [
        "side",
        "Names of",
        "text",
        ({ side }) => (side === "expected" ? "expected values" : "predicted values only"),
      ],
      ["names", "Names", "text", ({ moreThan }) => `over ${moreThan}`],
      ...outcomeColumns(lost),
    ],
    crowds,
  );
}
