import { textOrJson } from "../json.ts";

/**
 * Characters that a spreadsheet reads as the start of a formula (OWASP, "CSV Injection"), including full-width forms.
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

/** A cell, quoted or not, with its separator. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Yields the cells and whether each ends a record; ends with null if the text is not CSV. */
function* cellsOf(text: string): Generator<{ value: string; isLast: boolean } | null> {
  for (cell.lastIndex = 0; cell.lastIndex < text.length; ) {
    const found = cell.exec(text);
    if (found === null) return yield null;
    const at = cell.lastIndex;
    const value = found[1]?.replaceAll('""', '"') ?? found[2] ?? "";
    const isEscaped = value.startsWith("'") && formula.test(value.slice(1));
    yield {
      value: isEscaped ? value.slice(1) : value,
      isLast: found[3] !== "," || at === text.length,
    };
    // All readers share the expression.
    cell.lastIndex = at;
  }
}

/**
 * Yields the records of a CSV file (RFC 4180) after its header, with the texts of the requested columns; a missing cell
 * is empty. Removes the apostrophe that `csvCell` writes before a formula. Ends with null if the text is not CSV. Linear
 * in the text for any number of columns.
 * @example [...csvRows("a,b\r\n1,2\r\n", ["b"])] // [{ b: "2" }]
 */
export function* csvRows<Name extends string>(
  text: string,
  columns: readonly Name[],
): Generator<Record<Name, string> | null> {
  const blank = Object.fromEntries(columns.map((name) => [name, ""])) as Record<Name, string>;
  const known = new Map<string, Name>(columns.map((name) => [name, name]));
  const names: (Name | undefined)[] = [];
  let row: Record<Name, string> | null = null;
  let place = 0;
  for (const one of cellsOf(text)) {
    if (one === null) return yield null;
    const name = row === null ? undefined : names[place];
    if (row === null) names.push(known.get(one.value));
    else if (name !== undefined) row[name] = one.value;
    place += 1;
    if (!one.isLast) continue;
    if (row !== null) yield row;
    row = { ...blank };
    place = 0;
  }
}
