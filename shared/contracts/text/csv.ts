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

/** A cell with its separator: quoted, or as it is. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;

/**
 * The records of a CSV file (RFC 4180) with a header, as texts by column, and each record's number from 1. The
 * apostrophe that `csvCell` writes before a formula is removed; blank lines are skipped. Null if the text is not CSV.
 * Linear.
 * @example parseCsv("a,b\r\n1,2\r\n") // [{ number: 1, cells: { a: "1", b: "2" } }]
 */
export function parseCsv(text: string): { number: number; cells: Record<string, string> }[] | null {
  const records: string[][] = [[]];
  const source = text.replace(/^\ufeff/, "");
  cell.lastIndex = 0;
  while (cell.lastIndex < source.length) {
    const found = cell.exec(source);
    if (found === null) return null;
    const [, quoted, plain = "", end] = found;
    const value = quoted?.replaceAll('""', '"') ?? plain;
    records
      .at(-1)!
      .push(value.startsWith("'") && formula.test(value.slice(1)) ? value.slice(1) : value);
    if (end !== ",") records.push([]);
  }
  const [header = [], ...rows] = records;
  return rows.flatMap((cells, i) =>
    cells.every((one) => one === "")
      ? []
      : [
          {
            number: i + 1,
            cells: Object.fromEntries(header.map((name, k) => [name, cells[k] ?? ""])),
          },
        ],
  );
}
