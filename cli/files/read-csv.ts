import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import type { JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "./open-file.ts";

/** A file is read at once. */
const MAX_BYTES = 256 << 20;

/** Whether a file is CSV, by its name. */
export const isCsv = (path: string): boolean => /\.(csv|tsv)$/i.test(path);

/**
 * Rows of a CSV file with a header, as texts by column; an empty cell is missing. Cells are separated by the one of comma,
 * semicolon and tab that its header has most of. Throws BadInput.
 */
export function csvRows(path: string): JsonObject[] {
  const { fd } = openInput(path);
  try {
    if (fstatSync(fd).size > MAX_BYTES) {
      throw new BadInput(`${path}: it is larger than ${MAX_BYTES >> 20} MB`);
    }
    const bytes = readFileSync(fd);
    if (!isUtf8(bytes)) throw new BadInput(`${path}: not UTF-8 text`);
    const text = bytes.toString();
    const options = { columns: true, bom: true, skip_empty_lines: true } as const;
    const rows = parse(text, { ...options, delimiter: delimiterOf(text) }) as Record<
      string,
      string
    >[];
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== "")),
    );
  } catch (error) {
    if (error instanceof CsvError) throw new BadInput(`${path}: not CSV: ${error.message}`);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split(/\r?\n/, 1);
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const count = (one: string) => bare.split(one).length;
  return [",", ";", "\t"].reduce((best, one) => (count(one) > count(best) ? one : best));
}
