import type { TableBlock } from "../../../contracts/report.ts";
import type { GroupFigures } from "../breakdown-parts.ts";
import { intervalText } from "./report-facts.ts";

const figures = [
  ["eqs", "EQS", "score"],
  ["validity", "Validity", "percent"],
  ["partialF1", "Partial F1", "score"],
  ["typeAccuracy", "Type accuracy", "score"],
  ["hallucinationRate", "Hallucination", "percent"],
  ["exactMatch", "Exact match", "percent"],
  ["omissionRate", "Omission", "percent"],
] as const;

/**
 * Columns of a table of groups.
 * @example groupColumns("Language")[0] // ["name", "Language", "text"]
 */
export function groupColumns(
  label: string,
): [id: string, label: string, format: TableBlock["columns"][number]["format"]][] {
  return [
    ["name", label, "text"],
    ["n", "Samples", "count"],
    ...figures.map(([id, label, format]): [string, string, typeof format] => [id, label, format]),
    ["interval", "EQS, 95% interval", "text"],
  ];
}

/**
 * Rows of a table of groups.
 * @example groupRows(breakdown.complexity.bins)[0]?.eqs
 */
export function groupRows(groups: readonly GroupFigures[]): TableBlock["rows"] {
  return groups.map(({ name, n, figures: known }) => ({
    ...{ name, n, interval: intervalText(known.eqs.interval) },
    ...Object.fromEntries(figures.map(([id]) => [id, known[id].value])),
  }));
}
