import type { ReportBlock } from "../../../contracts/report.ts";
import { tableOf } from "../../../measures/report/blocks.ts";
import { intervalText } from "../../../measures/report/figure-text.ts";
import { belowParts, partInterval } from "../../../measures/report/part-interval.ts";
import type { GroupFigures } from "../sum/breakdown/breakdown-parts.ts";
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
 * Groups of samples with their main figures; the API has every other figure of each. `most` are shown.
 * @example groupTable("Figures by language", "Language", groups)[0].rows[0]?.eqs
 */
export function groupTable(
  title: string,
  label: string,
  groups: readonly GroupFigures[],
  most: number = groups.length,
): ReportBlock[] {
  const [table, ...more] = tableOf(
    title,
    [
      ["name", label, "text"],
      ["n", "Samples", "count"],
      ...figures.map(([id, of, format]): [string, string, typeof format] => [id, of, format]),
      ["interval", "EQS, 95% interval", "figure"],
      ["error", "Most frequent error", "text"],
    ],
    groups.map(({ name, n, figures: known, patterns, lost }) => ({
      name,
      n,
      interval: intervalText(partInterval(n, known["eqs"]?.interval ?? null)),
      ...Object.fromEntries(figures.map(([id]) => [id, known[id]?.value ?? null])),
      error: mostFrequent(patterns, lost),
    })),
    most,
  );
  const parts = groups.slice(0, most).map(({ n, figures: known }) => {
    return { n, value: known["eqs"]?.value ?? null };
  });
  return [{ ...table, ...belowParts(parts) }, ...more];
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
