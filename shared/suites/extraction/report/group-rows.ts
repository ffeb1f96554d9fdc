import type { TableBlock } from "../../../contracts/report.ts";
import { intervalText } from "../../../measures/report/blocks.ts";
import type { GroupFigures } from "../breakdown-parts.ts";
import { lostIds, lostLabels, lostTotals } from "./missed-fields.ts";
import { patternWords } from "./pattern-words.ts";

const figures = [
  ["eqs", "EQS", "score"],
  ["validity", "Validity", "percent"],
  ["partialPrecision", "Partial precision", "score"],
  ["partialRecall", "Partial recall", "score"],
  ["partialF1", "Partial F1", "score"],
  ["typeAccuracy", "Type accuracy", "score"],
  ["hallucinationRate", "Hallucination", "percent"],
  ["exactMatch", "Exact match", "percent"],
  ["omissionRate", "Omission", "percent"],
  ["latencyP95", "Latency p95", "ms"],
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
    ["error", "Most frequent error", "text"],
  ];
}

/**
 * Rows of a table of groups; the API has every other figure of each.
 * @example groupRows(breakdown.complexity.bins)[0]?.eqs
 */
export function groupRows(groups: readonly GroupFigures[]): TableBlock["rows"] {
  return groups.map(({ name, n, figures: known, patterns, lost }) => ({
    ...{ name, n, interval: intervalText(known["eqs"]?.interval ?? null) },
    ...Object.fromEntries(figures.map(([id]) => [id, known[id]?.value ?? null])),
    error: mostFrequent(patterns, lost),
  }));
}

/** Of all fields that went wrong, in valid outputs or with their whole output. */
function mostFrequent(
  patterns: GroupFigures["patterns"],
  lost: GroupFigures["lost"],
): string | null {
  const totals = lostTotals(lost);
  const errors: [string, number][] = [
    ...Object.entries(patterns).map(([name, count]): [string, number] => [
      patternWords(name),
      count,
    ]),
    ...lostIds.map((id): [string, number] => [
      lostLabels[id].label.toLowerCase(),
      totals[id].fields,
    ]),
  ];
  const [first] = errors.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  return first === undefined ? null : `${first[0]} (${first[1]})`;
}
