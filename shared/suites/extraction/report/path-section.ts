import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { figureText, intervalText } from "../../../measures/report/figure-text.ts";
import { belowParts, partInterval } from "../../../measures/report/part-interval.ts";
import { lostPresent, missedCells, missedColumns } from "./missed-fields.ts";
import type { ReportFacts } from "./report-facts.ts";

type Fields = ReportFacts["breakdown"]["fields"];

/**
 * The name paths with the lowest partial F1.
 * Source: docs/spec/extraction.md, section 7.
 * @example pathSection(facts).id // "paths"
 */
export function pathSection({ breakdown }: ReportFacts): ReportSection {
  const { byPath, crowds, pathsLeft } = breakdown.fields;
  const lost = lostPresent(breakdown.errorAnalysis.lost);
  const hardest = [...byPath].sort((a, b) => a.partialF1 - b.partialF1 || b.n - a.n);
  return {
    id: "paths",
    title: "Hardest fields",
    intro: `Name paths (indices left out) in three samples or more, lowest partial F1 first.${leftText(pathsLeft)}`,
    blocks: [...pathTable(hardest, lost), ...crowdTable(crowds, lost)],
  };
}

function pathTable(hardest: Fields["byPath"], lost: ReturnType<typeof lostPresent>): ReportBlock[] {
  const [table, ...more] = tableOf(
    "Fields by path",
    [
      ["path", "Path", "text"],
      ["n", "Samples", "count"],
      ["partialF1", "Partial F1", "score"],
      ["interval", "95% interval", "figure"],
      ["exact", "Exact", "count"],
      ["partial", "Partial", "count"],
      ["incorrect", "Incorrect", "count"],
      ...missedColumns(lost),
      ["spurious", "Spurious", "count"],
    ],
    hardest.map((cell) => ({
      path: cell.name || "(root)",
      n: cell.n,
      partialF1: cell.partialF1,

      interval: intervalText(partInterval(cell.n, cell.interval)),
      exact: cell.exact,
      partial: cell.partial,
      incorrect: cell.incorrect,
      spurious: cell.spurious,
      ...missedCells(cell, lost),
    })),
  );
  const parts = hardest
    .slice(0, table.rows.length)
    .map(({ n, partialF1: value }) => ({ n, value }));
  return [{ ...table, ...belowParts(parts) }, ...more];
}

const counted = (count: number): string => figureText(count, "count");

function leftText({ rare, rareFields, paths, fields }: Fields["pathsLeft"]): string {
  const few =
    rare > 0 ? ` ${counted(rare)} paths (${counted(rareFields)} fields) are in fewer samples.` : "";
  const past =
    fields > 0
      ? ` Some ${counted(paths)} paths (${counted(fields)} fields) are past those told apart: a random part, which the table does not have.`
      : "";
  return few + past;
}

/** Nothing where every name could be told apart. */
function crowdTable(crowds: Fields["crowds"], lost: ReturnType<typeof lostPresent>) {
  if (crowds.length === 0) return [];
  return tableOf(
    "Names that no schema lists, too many to tell apart",
    [
      ["path", "Any name at", "text"],
      ["side", "Names of", "text"],
      ["names", "Names", "text"],
      ["exact", "Exact", "count"],
      ["partial", "Partial", "count"],
      ["incorrect", "Incorrect", "count"],
      ...missedColumns(lost),
      ["spurious", "Spurious", "count"],
    ],
    crowds.map(({ at, side, moreThan, exact, partial, incorrect, spurious, ...cell }) => ({
      path: at === null ? "any path" : at || "(root)",
      side: side === "expected" ? "expected values" : "predicted values alone",
      names: `over ${moreThan}`,
      exact,
      partial,
      incorrect,
      spurious,
      ...missedCells(cell, lost),
    })),
  );
}
