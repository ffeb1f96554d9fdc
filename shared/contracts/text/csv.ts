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
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One record (RFC 4180) with its line break.
 * @example csvRecord(["a", 1, null]) // "a,1,\r\n"
 */
export const csvRecord = (cells: readonly unknown[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;
