import { CsvError, parse } from "csv-parse/sync";
import type { JsonObject } from "#shared/contracts/json.ts";
import { csvTable, type TableForm } from "#shared/measures/datasets/csv-table.ts";
import { BadInput } from "../errors.ts";
import { readText } from "./open-file.ts";

/** Whether a file is CSV, by its name. */
export const isCsv = (path: string): boolean => /\.(csv|tsv)$/i.test(path);

/** Rows of a CSV file, as texts by column. Throws BadInput. */
export function csvRows(path: string, form: TableForm = {}): JsonObject[] {
  const text = readText(path);
  try {
    return csvTable(text, parse, { ...form, hasTabs: /\.tsv$/i.test(path) });
  } catch (error) {
    if (error instanceof CsvError || error instanceof RangeError)
      throw new BadInput(`${path}: not CSV: ${error.message}`);
    throw error;
  }
}
