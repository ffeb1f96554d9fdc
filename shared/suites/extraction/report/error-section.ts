import type { MatrixBlock, ReportSection, Tone, TreeBlock } from "../../../contracts/report.ts";
import { brief, tableOf } from "../../../measures/report/blocks.ts";
import type { CellFigures } from "../breakdown-parts.ts";
import { errorPatterns } from "../diagnosed-field.ts";
import { patternGroups } from "../error-breakdown.ts";
import { patternWords } from "./pattern-words.ts";
import type { ReportFacts } from "./report-facts.ts";

type Errors = ReportFacts["breakdown"]["errorAnalysis"];

const groups: readonly { id: keyof Errors["groups"]; label: string; tone: Tone }[] = [
  { id: "extraction", label: "Extraction", tone: "kind0" },
  { id: "structure", label: "Structure", tone: "kind2" },
  { id: "boundary", label: "Boundary", tone: "kind5" },
  { id: "type", label: "Type", tone: "kind1" },
];

/** Name paths in the heat map: those with the most expected fields. */
const mostPaths = 12;

/**
 * Errors by pattern, by field, and the most common with an example each.
 * Source: specification of the extraction suite, section 8.
 * @example errorSection(facts).id // "errors"
 */
export function errorSection({ breakdown }: ReportFacts): ReportSection {
  const { common, crowds, patterns, left } = breakdown.errorAnalysis;
  const part =
    left.errors === 0
      ? ""
      : ` ${left.errors} errors, of some ${left.pairs} pairs of pattern and path, are past those told apart: a random part, which the table does not have.`;
  return {
    id: "errors",
    title: "Errors",
    intro: `Each error counted once, under the first pattern that fits; the most common with the first sample that has them.${part}`,
    blocks: [
      patternTree(patterns),
      ...fieldMap(breakdown.fields.byPath),
      ...brief(
        tableOf(
          "Most common errors",
          [
            ["pattern", "Pattern", "text"],
            ["path", "Path", "text"],
            ["count", "Fields", "count"],
            ["example", "First in sample", "text"],
          ],
          common.map(({ pattern, path, count, example }) => ({
            ...{ pattern: patternWords(pattern), path: path || "(root)" },
            ...{ count, example: example.id },
          })),
        ),
      ),
      ...crowdTable(crowds),
    ],
  };
}

function patternTree(patterns: Errors["patterns"]): TreeBlock {
  return {
    ...{ kind: "tree", title: "Errors by pattern", unit: "errors" },
    groups: groups
      .map(({ id, label, tone }) => ({
        ...{ label, tone },
        parts: errorPatterns
          .filter((pattern) => patternGroups[pattern] === id && patterns[pattern] > 0)
          .map((pattern) => ({ label: patternWords(pattern), count: patterns[pattern] })),
      }))
      .filter(({ parts }) => parts.length > 0),
  };
}

/** Nothing without paths. */
function fieldMap(paths: readonly CellFigures[]): MatrixBlock[] {
  const shown = [...paths].sort((a, b) => b.expected - a.expected).slice(0, mostPaths);
  if (shown.length === 0) return [];
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const part = shown.length < paths.length ? `, the ${shown.length} most frequent` : "";
  return [
    {
      ...{ kind: "matrix", title: `What goes wrong by field${part}` },
      rows: { label: "Field", names: shown.map(({ name }) => name || "(root)") },
      columns: {
        label: "Share",
        names: ["missed / expected", "incorrect / expected", "spurious / predicted"],
      },
      cells: shown.map(({ expected, predicted, missed, incorrect, spurious }) => [
        ...[share(missed, expected), share(incorrect, expected), share(spurious, predicted)],
      ]),
      ...{ format: "percent", scale: "share" },
    },
  ];
}

/** Nothing where every name could be told apart. */
function crowdTable(crowds: Errors["crowds"]) {
  if (crowds.length === 0) return [];
  return tableOf(
    "Errors at names that no schema lists, too many to tell apart",
    [
      ["pattern", "Pattern", "text"],
      ["path", "Any name at", "text"],
      ["names", "Names", "text"],
      ["count", "Fields", "count"],
      ["example", "First in sample", "text"],
    ],
    crowds.map(({ pattern, path, moreThan, count, example }) => ({
      pattern: pattern === null ? "any" : patternWords(pattern),
      path: pattern === null ? "any path" : path || "(root)",
      ...{ names: `over ${moreThan}`, count, example: example.id },
    })),
  );
}
