import { printable } from "../printable.ts";
import { formatCount } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";
import type { CheckedDataset } from "./check-dataset.ts";
import type { DatasetFigures, Spread } from "./dataset-figures.ts";

/** Values of a tag listed at the most: one may be different in every sample. */
const MAX_VALUES = 12;

/** What a dataset holds, for a terminal. */
export function statsText(
  { suite, samples, malformed, warnings, version }: CheckedDataset,
  { fields, tags, textLengths, figures, kinds }: DatasetFigures,
): string {
  const head = [
    ["suite", suite],
    ["samples", formatCount(samples)],

    ["malformed", formatCount(malformed.count)],
    ["warnings", formatCount(warnings.count)],
    ["version", version],
  ];
  const inFields = Object.entries(fields).map(([name, n]) => [name, formatCount(n)]);
  return [
    ...textTable(head, () => true),
    ...titled("Fields", [["field", "samples"], ...inFields]),
    ...titled("Characters of texts", spreadRows("field", textLengths)),
    ...titled("Samples", spreadRows("figure", figures)),
    ...titled("", countRows("figure", kinds)),
    ...titled("Tags", countRows("tag", tags)),
  ]
    .map(printable)
    .join("\n");
}

/** Nothing where the head stands alone. */
function titled(title: string, rows: readonly string[][]): string[] {
  if (rows.length < 2) return [];
  const numbersFrom = rows[0]!.includes("value") ? 2 : 1;
  return [
    "",
    ...(title === "" ? [] : [title]),
    ...textTable(rows, (column) => column < numbersFrom),
  ];
}

function spreadRows(what: string, spreads: Readonly<Record<string, Spread>>): string[][] {
  const rows = Object.entries(spreads).map(([name, { least, median, mean, most }]) => [
    name,
    formatCount(least),
    rounded(median),
    rounded(mean),
    formatCount(most),
  ]);
  return [[what, "least", "median", "mean", "most"], ...rows];
}

const rounded = (value: number): string =>
  Number.isInteger(value) || Math.abs(value) >= 100 ? formatCount(value) : value.toFixed(1);

function countRows(
  what: string,
  all: Readonly<Record<string, Readonly<Record<string, number>>>>,
): string[][] {
  const rows = Object.entries(all).flatMap(([name, counts]) => {
    const list = Object.entries(counts);
    const shown = list.slice(0, MAX_VALUES).map(([value, n]) => [name, value, formatCount(n)]);
    const rest = list.slice(MAX_VALUES);
    if (rest.length === 0) return shown;
    const sum = rest.reduce((total, [, n]) => total + n, 0);
    return [...shown, [name, `${formatCount(rest.length)} more values`, formatCount(sum)]];
  });
  return [[what, "value", "samples"], ...rows];
}
