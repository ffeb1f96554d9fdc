import type { Metric } from "#shared/contracts/metric.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { withoutUserInfo } from "#shared/contracts/text/web-address.ts";
import { figureText } from "#shared/measures/report/figures/figure-text.ts";

/** A number with its unit for the terminal; `–` for null. */
export const formatValue = (value: number | null, format: Metric["format"]): string =>
  plainText(figureText(value, format) ?? "–");

/** Replaces narrow spaces and minus signs, so that numbers in a terminal are aligned and can be copied. */
export const plainText = (text: string): string =>
  text.replaceAll("\u202f", " ").replace("\u2212", "-");

/** A whole number with grouped digits. */
export const formatCount = (value: number): string => formatValue(Math.round(value), "count");

/** @example emptyText(1) // "1 answer is empty and scores 0" */
export const emptyText = (count: number): string =>
  `${counted(count, "answer")} ${count === 1 ? "is empty and scores" : "are empty and score"} 0`;

/** Text on one line, without control characters and without passwords in addresses. */
export function printable(text: string): string {
  return withoutUserInfo(text.replace(/\p{Cc}+/gu, " "));
}

/** How to type a command of `assay`; after a start by npx, the package is not on the path, so npx is needed again. */
export const assayCommand = process.env["npm_command"] === "exec" ? "npx assay" : "assay";

/**
 * Lines of cells in aligned columns, text to the left and numbers to the right; the first row is the head.
 * @example textTable([["metric", "value"], ["EQS", "0.9"]], (column) => column === 0)
 */
export function textTable(
  rows: readonly (readonly string[])[],
  isText: (column: number) => boolean,
): string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((cells) => cells[k]!.length)));
  return rows.map((cells) => {
    const padded = cells.map((cell, k) =>
      isText(k) ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!),
    );
    return padded.join("  ").trimEnd();
  });
}

/** Maximum width of tables and lists, unless names are too long. */
export const MAX_WIDTH = 110;

/**
 * An aligned table, its first column text and the others numbers; if it is too wide, several tables, each with the
 * first column, with an empty line between.
 * @example wideTable([["run", "EQS"], ["a", "0.900"]])
 */
export function wideTable(rows: readonly (readonly string[])[]): string[][] {
  const columns = rows[0]?.length ?? 0;
  const widthOf = (k: number) => Math.max(...rows.map((cells) => cells[k]!.length));
  const tables: number[][] = [[0]];
  let width = widthOf(0);
  for (let k = 1; k < columns; k++) {
    const added = 2 + widthOf(k);
    if (width + added > MAX_WIDTH && tables.at(-1)!.length > 1) {
      tables.push([0]);
      width = widthOf(0);
    }
    tables.at(-1)!.push(k);
    width += added;
  }
  return tables.map((shown) =>
    textTable(
      rows.map((cells) => shown.map((k) => cells[k]!)),
      (k) => k === 0,
    ),
  );
}

/**
 * Text in lines, broken at spaces, all but the first indented.
 * @example wrapText("left out: 2 samples that mid lacks, 1 that small lacks")
 */
export function wrapText(text: string, width = MAX_WIDTH, indent = "  "): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] += ` ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}
