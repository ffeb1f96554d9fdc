import type { TableBlock } from "../../../contracts/report.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";

import type { GroupFigures } from "../breakdown-parts.ts";
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
    ["interval", "EQS, 95% interval", "figure"],
    ["error", "Most frequent error", "text"],
  ];
}

/**
 * Rows of a table of groups; the API has every other figure of each.
 * @example groupRows(breakdown.complexity.bins)[0]?.eqs
 */
export function groupRows(groups: readonly GroupFigures[]): TableBlock["rows"] {
  return groups.map(({ name, n, figures: known, patterns }) => ({
    ...{ name, n, interval: intervalText(known["eqs"]?.interval ?? null) },
    ...Object.fromEntries(figures.map(([id]) => [id, known[id]?.value ?? null])),
    error: errorText(Object.entries(patterns)[0]),
  }));
}

function errorText(first: [pattern: string, count: number] | undefined): string | null {
  return first === undefined ? null : `${patternWords(first[0])} (${first[1]})`;
}
