import { textOrJson } from "../json.ts";

/**
 * Characters that a spreadsheet takes for the start of a formula (OWASP, "CSV Injection"), including full-width
 * forms.
 */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

/** Includes the semicolon: spreadsheets in some languages split at it, which would start a new cell. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/u;

/**
 * One cell. Text that a spreadsheet would compute gets a leading apostrophe; numbers are unchanged. Null and
 * undefined are empty, anything else is JSON.
 * @example csvCell('say "hi"') // '"say ""hi"""'
 * @example csvCell("=1+1") // "'=1+1"
 * @example csvCell(-1) // "-1"
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return `${value}`;
  const text = textOrJson(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One record (RFC 4180) with its line break.
 * @example csvRecord(["a", 1, null]) // "a,1,\r\n"
 */
export const csvRecord = (cells: readonly unknown[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;

/** A cell with its separator: quoted, or as it is. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * The records of a CSV file (RFC 4180) below its header, as texts by column; a missing cell is empty. The apostrophe that
 * `csvCell` writes before a formula is removed. Null if the text is not CSV. Linear.
 * @example parseCsv("a,b\r\n1,2\r\n") // [{ a: "1", b: "2" }]
 */
export function parseCsv(text: string): Record<string, string>[] | null {
  const records: string[][] = [[]];
  for (cell.lastIndex = 0; cell.lastIndex < text.length; ) {
    const found = cell.exec(text);
    if (found === null) return null;
    const value = found[1]?.replaceAll('""', '"') ?? found[2] ?? "";
    const isEscaped = value.startsWith("'") && formula.test(value.slice(1));
    records.at(-1)!.push(isEscaped ? value.slice(1) : value);
    if (found[3] !== ",") records.push([]);
  }
  const [header = [], ...rows] = records.filter(({ length }) => length > 0);
  return rows.map((row) => Object.fromEntries(header.map((name, k) => [name, row[k] ?? ""])));
}
