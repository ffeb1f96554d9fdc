import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import { isJsonObject, type Json, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { csvTable, type TableForm } from "#shared/measures/datasets/csv-table.ts";
import { withoutNulls } from "#shared/measures/datasets/dataset-row.ts";
import { documentRows, jsonText, readFolder } from "#shared/measures/datasets/folder-rows.ts";
import { parquetRow } from "#shared/measures/datasets/parquet-row.ts";

/** The parts of a browser's file that are read. */
type Source = Pick<File, "name" | "size" | "text" | "arrayBuffer" | "webkitRelativePath">;

/** Maximum size of a file. The API accepts bodies up to 25 MiB, but a table may have columns that are not sent. */
const MOST_BYTES = 100 * 2 ** 20;

export interface SourceRows {
  rows: JsonObject[];
  /** Name of the file without its extension, for rows without an id. */
  name: string;
  /** Whether they come from a table, whose columns are those of the suite or are mapped. */
  isTable: boolean;
}

/**
 * Rows of the chosen files: a file of JSON Lines, a JSON array, CSV or Parquet, or a folder of samples, or of documents
 * according to the mapping. Throws an error that says what to do.
 */
export async function sourceRows(
  files: readonly Source[],
  mapping: Partial<RowMapping>,
): Promise<SourceRows> {
  const named = files.filter(({ name }) => name !== "");
  const [file] = named;
  if (file === undefined) throw new Error("choose a file or a folder");
  const name = file.name.replace(/\.\w+$/, "");
  if (file.webkitRelativePath !== "") {
    return { rows: await rowsOfFolder(named, mapping), name: "sample", isTable: false };
  }
  refuseLarge([file]);
  if (/\.(csv|tsv)$/i.test(file.name)) {
    return { rows: await csvRows(file, mapping), name, isTable: true };
  }
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

function refuseLarge(files: readonly Source[]): void {
  if (files.reduce((sum, { size }) => sum + size, 0) <= MOST_BYTES) return;
  throw new Error(`more than ${MOST_BYTES / 2 ** 20} MiB: import it with assay dataset import`);
}

async function rowsOfFolder(
  files: readonly Source[],
  { folder }: Partial<RowMapping>,
): Promise<JsonObject[]> {
  if (folder !== undefined) return rowsOfDocuments(files, folder);
  const samples = files.filter(({ name }) => name === "sample.json");
  refuseLarge(samples);
  const texts = samples.map(async (file) => ({
    path: file.webkitRelativePath,
    text: await file.text(),
  }));
  const rows = readFolder(await Promise.all(texts));
  if (!rows.ok) throw new Error(rows.error);
  return rows.value;
}

async function rowsOfDocuments(
  files: readonly Source[],
  fields: Record<string, string>,
): Promise<JsonObject[]> {
  // Paths begin with the name of the chosen folder.
  const byPath = new Map(
    files.map((file) => [file.webkitRelativePath.replace(/^[^/]*\//, ""), file]),
  );
  const rows = documentRows([...byPath.keys()].sort(), fields);
  if (!rows.ok) throw new Error(rows.error);
  const used = new Set(rows.value.flatMap(({ files: its }) => Object.values(its)));
  refuseLarge([...used].flatMap((path) => byPath.get(path) ?? []));
  const contents = new Map<string, Json>();
  for (const path of used) contents.set(path, await contentOf(path, byPath.get(path)!));
  return rows.value.map(({ parts, files: its }) => ({
    ...parts,
    ...Object.fromEntries(Object.entries(its).map(([field, path]) => [field, contents.get(path)!])),
  }));
}

async function contentOf(path: string, file: Source): Promise<Json> {
  const text = await file.text();
  if (!path.endsWith(".json")) return text;
  const read = jsonText(text);
  if (read.ok) return read.value;
  throw new Error(`${path} is not JSON: ${read.error}`);
}

async function csvRows(file: Source, { columns, quotes }: TableForm): Promise<JsonObject[]> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  const hasTabs = /\.tsv$/i.test(file.name);
  try {
    return csvTable(await file.text(), parse, { columns, quotes, hasTabs });
  } catch (error) {
    throw new Error(`it is not CSV: ${(error as Error).message}`);
  }
}

/** Reads Parquet with uncompressed columns, or with Snappy, the default of most writers. */
async function parquetRows(bytes: Uint8Array<ArrayBuffer>): Promise<JsonObject[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const rows = await parquetReadObjects({ file: bytes.buffer, utf8: false }).catch((error) => {
    const why = (error as Error).message;
    throw new Error(`it can't be read as Parquet here (${why}): try assay dataset import`);
  });
  return rows.map((row, i) => {
    const read = parquetRow(row);
    if (read.ok) return withoutNulls(read.value);
    throw new Error(`row ${i + 1}: ${read.error}`);
  });
}
