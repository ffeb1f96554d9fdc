import { isJsonObject, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { csvTable } from "#shared/measures/datasets/csv-table.ts";

/** A file of a browser, as far as it is read. */
type Source = Pick<File, "name" | "size" | "text" | "arrayBuffer">;

/** The API takes bodies up to 25 MiB; a table can have columns that are not sent. */
const MOST_BYTES = 100 * 2 ** 20;

/** Rows of files, unchecked. */
export interface SourceRows {
  rows: JsonObject[];
  /** Name of the file without its ending, for rows without an id. */
  name: string;
  /** Whether they are from a table, whose columns are those of the suite or are mapped. */
  isTable: boolean;
}

/**
 * Rows of chosen files: one of JSON Lines, a JSON array, CSV or Parquet, or those of a folder, each with one JSON object.
 * Throws an error that says what to do.
 */
export async function sourceRows(files: readonly Source[]): Promise<SourceRows> {
  const named = files.filter(({ name }) => name !== "");
  if (named.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) {
    throw new Error(`more than ${MOST_BYTES / 2 ** 20} MiB: import it with assay dataset import`);
  }
  const [file] = named;
  if (file === undefined) throw new Error("choose a file or a folder");
  const name = file.name.replace(/\.\w+$/, "");
  if (named.length > 1) return { rows: await rowsOfFolder(named), name: "sample", isTable: false };
  if (/\.(csv|tsv)$/i.test(file.name)) return { rows: await csvRows(file), name, isTable: true };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isParquet = new TextDecoder("latin1").decode(bytes.subarray(0, 4)) === "PAR1";
  if (isParquet) return { rows: await parquetRows(bytes), name, isTable: true };
  return { rows: jsonRows(utf8(bytes)), name, isTable: false };
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("the file is not UTF-8 text, nor Parquet");
  }
}

function jsonRows(text: string): JsonObject[] {
  const whole = text.trimStart().startsWith("[") ? parsedJson(text) : undefined;
  if (Array.isArray(whole)) return whole.map((row, i) => objectAt(row, `row ${i + 1}`));
  return text.split("\n").flatMap((line, i) => {
    return line.trim() === "" ? [] : [objectAt(parsedJson(line), `line ${i + 1}`)];
  });
}

function objectAt(value: unknown, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`${place} is not a JSON object`);
}

async function rowsOfFolder(files: readonly Source[]): Promise<JsonObject[]> {
  const samples = files.filter(({ name }) => name === "sample.json");
  if (samples.length === 0) throw new Error("the folder has no samples/<id>/sample.json");
  return Promise.all(
    samples.map(async (file, i) => objectAt(parsedJson(await file.text()), `file ${i + 1}`)),
  );
}

async function csvRows(file: Source): Promise<JsonObject[]> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  try {
    return csvTable(await file.text(), parse);
  } catch (error) {
    throw new Error(`it is not CSV: ${(error as Error).message}`);
  }
}

/** Uncompressed columns, and those of Snappy, the default of most writers. */
async function parquetRows(bytes: Uint8Array<ArrayBuffer>): Promise<JsonObject[]> {
  const { parquetReadObjects } = await import("hyparquet");
  try {
    const rows = await parquetReadObjects({ file: bytes.buffer });
    const plain = (_: string, value: unknown) =>
      typeof value === "bigint" ? Number(value) : value;
    return JSON.parse(JSON.stringify(rows, plain)) as JsonObject[];
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`it can't be read as Parquet here (${why}): try assay dataset import`);
  }
}
