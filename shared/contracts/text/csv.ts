/** What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), wide forms too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u;

/** A semicolon too: spreadsheets of some languages split at it, and would open a cell in a cell. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/u;

/**
 * One cell. Text that a spreadsheet would compute is kept text by a leading apostrophe; numbers are
 * written as they are. Null and undefined are empty, anything else is JSON.
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
 * One record (RFC 4180), its line break included.
 * @example csvRecord(["a", 1, null]) // "a,1,\r\n"
 */
export const csvRecord = (cells: readonly unknown[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;
