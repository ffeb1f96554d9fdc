import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import type { JsonObject } from "#shared/contracts/json.ts";
import { csvTable, type TableForm } from "#shared/measures/datasets/csv-table.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "./open-file.ts";
import { refuseNonText } from "./refuse-non-text.ts";

/** A file is read at once. */
const MAX_BYTES = 256 << 20;

/** Whether a file is CSV, by its name. */
export const isCsv = (path: string): boolean => /\.(csv|tsv)$/i.test(path);

/** Rows of a CSV file, as texts by column. Throws BadInput. */
export function csvRows(path: string, form: TableForm = {}): JsonObject[] {
  const { fd } = openInput(path);
  try {
    if (fstatSync(fd).size > MAX_BYTES) {
      throw new BadInput(`${path}: it is larger than ${MAX_BYTES >> 20} MB`);
    }
    const bytes = readFileSync(fd);
    refuseNonText(path, bytes);
    if (!isUtf8(bytes)) throw new BadInput(`${path}: not UTF-8 text`);
    const hasTabs = /\.tsv$/i.test(path);
    return csvTable(bytes.toString(), parse, { ...form, hasTabs });
  } catch (error) {
    if (error instanceof CsvError || error instanceof RangeError)
      throw new BadInput(`${path}: not CSV: ${error.message}`);
    throw error;
  } finally {
    closeSync(fd);
  }
}
