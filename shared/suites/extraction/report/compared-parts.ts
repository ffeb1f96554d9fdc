import type { CellFigures } from "../sum/breakdown/breakdown-parts.ts";
import type { ReportFacts } from "./report-facts.ts";

/** Samples from which a name path is drawn beside others: of fewer, a share is mostly chance. */
const enoughSamples = 10;

/** Share of the expected fields that must lie on such paths for a chart to go by path alone. */
const leastShare = 0.5;

/** The parts that charts set beside each other. */
interface ComparedParts {
  /** What they are, as a title goes on: "field", or "type and depth". */
  by: string;
  /** Each with its name in the chart. */
  cells: (CellFigures & { label: string })[];
  /** Why these, where they are not the name paths; else empty. */
  why: string;
}

/**
 * Up to `most` name paths in ten samples or more, the most frequent first. Where less than half of the expected
 * fields lie on such paths, as in a dataset of many schemas, field types and depths come before them. Linear but
 * for sorting.
 * @example comparedParts(breakdown, 12).by // "field"
 */
export function comparedParts(
  { fields, categories }: Pick<ReportFacts["breakdown"], "fields" | "categories">,
  most: number,
): ComparedParts {
  const frequent = fields.byPath.filter(({ n }) => n >= enoughSamples);
  const paths = frequent
    .map((cell) => ({ ...cell, label: cell.name || "(root)" }))
    .sort((a, b) => b.expected - a.expected);
  const share = shareOn(frequent, categories);
  if (share >= leastShare) {
    const part = paths.length > most ? `, the ${most} most frequent` : "";
    return { by: `field${part}`, cells: paths.slice(0, most), why: "" };
  }
  const all = [
    ...fields.byType.map((cell) => ({ ...cell, label: `type ${cell.name}` })),
    ...fields.byDepth.map((cell) => ({ ...cell, label: `depth ${cell.name}` })),
  ];
  const large = all.filter(({ n }) => n >= enoughSamples);
  const groups = large.length > 0 ? large : all;
  const room = Math.max(0, most - groups.length);
  const few = paths.length === 0 || room === 0;
  return {
    by: few ? "type and depth" : "type, depth and frequent field",
    cells: [...groups, ...paths.slice(0, room)],
    why: ` ${rareText(share)}, so fields are grouped by type and depth${few ? "" : "; frequent paths stand beside them"}.`,
  };
}

const rareText = (share: number): string =>
  share === 0
    ? `No name path is in ${enoughSamples} samples or more`
    : `Name paths in ${enoughSamples} samples or more hold only ${(share * 100).toFixed(1)}% of the expected fields`;

/** 1 where no field was expected: there is nothing to group either. */
function shareOn(
  cells: readonly CellFigures[],
  { exact, partial, incorrect, missed }: ReportFacts["breakdown"]["categories"],
): number {
  const all = exact + partial + incorrect + missed;
  return all === 0 ? 1 : cells.reduce((sum, { expected }) => sum + expected, 0) / all;
}
