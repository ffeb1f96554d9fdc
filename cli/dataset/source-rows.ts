import { closeSync, statSync } from "node:fs";
import { parse as parsePath } from "node:path";
import { CsvError, parse } from "csv-parse/sync";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { csvTable, type TableForm } from "#shared/measures/datasets/csv-table.ts";
import { datasetRow, withoutNulls } from "#shared/measures/datasets/dataset-row.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput, badLine } from "../errors.ts";
import { type OpenFile, readText, spooledText } from "../files/open-file.ts";
import { parseRow, readLines } from "../files/read-lines.ts";
import { isParquet, parquetRows } from "../files/read-parquet.ts";
import { hubAccess } from "../hugging-face/ask-hub.ts";
import { pageCache } from "../hugging-face/dataset-pages.ts";
import { type HubSource, readHubRows } from "../hugging-face/read-hub-rows.ts";
import { openDataset } from "../score/open-dataset.ts";
import { folderRows, withLines } from "./file-rows.ts";
import { recognizeSuite, suiteOfRows } from "./recognize-suite.ts";
import type { ImportMapping } from "./row-mapping.ts";

/** Example of how to name a suite, for errors. */
export const SUITE_FLAG_HINT = "as in --suite";

/** Rows examined to recognize the suite. */
const LOOKED_AT = 20;

const hubName = /^hf:((?:[\w.-]+\/)?[\w.-]+)$/;

/** The rows to open. */
export interface SourceTask {
  /** `hf:owner/name`, or a file's path. */
  source: string;
  /** Null: recognized from the rows. */
  suite: Suite | null;
  /** The mapping to rows of the suite; missing or null: rows are used unchanged. */
  mapping?: ImportMapping | null;
  config: string | null;
  split: string | null;
  /** Whether the only config or split is used even if it has another name. */
  takesOnly?: boolean;
  revision: string | null;
  cacheFolder: string;
  onProgress(done: number, total: number): void;
}

/** Rows opened for reading. */
export interface SourceRows {
  file: OpenFile;
  suite: Suite;
  /** The source on Hugging Face; null for a file. */
  hub: HubSource | null;
  /** Number of splits on Hugging Face in all configurations; 1 for a file. */
  parts: number;
}

/** The name of a dataset on Hugging Face, without `hf:`; null for a file's path. Throws BadInput for an incomplete name. */
export function hubDataset(source: string): string | null {
  if (!source.startsWith("hf:")) return null;
  const name = hubName.exec(source)?.[1];
  if (name !== undefined && !/(^|\/)\.+(\/|$)/.test(name)) return name;
  throw new BadInput(`${source}: name the dataset as hf:OWNER/NAME`);
}

/** Opens a file, or downloads a dataset of Hugging Face into a file. Throws BadInput. */
export async function openSource(task: SourceTask): Promise<SourceRows> {
  const dataset = hubDataset(task.source);
  if (dataset !== null) return openHub(task, dataset);
  const { source, mapping = null } = task;
  const isTable = isFile(source) && (isParquet(source) || isCsv(source));
  if (isTable || mapping !== null) {
    const rows = await rowsOfSource(source, mapping);
    return { ...(await openTable(task, rows, parsePath(source).name)), hub: null, parts: 1 };
  }
  const suite = task.suite ?? recognizeSuite(source, suites, SUITE_FLAG_HINT);
  return { file: openDataset(source), suite, hub: null, parts: 1 };
}

async function openHub(task: SourceTask, dataset: string): Promise<SourceRows> {
  const revision = task.revision?.toLowerCase() ?? null;
  if (revision !== null && !/^[0-9a-f]{7,40}$/.test(revision)) {
    const why =
      "a commit's SHA, at least 7 digits; branches and tags are not accepted because they move";
    throw new BadInput(`--revision must be ${why}; not "${task.revision}"`);
  }
  const { source, parts, rows } = await readHubRows({
    dataset,
    revision,
    config: task.config,
    split: task.split,
    takesOnly: task.takesOnly ?? false,
    onProgress: task.onProgress,
    access: hubAccess(),
    cache: pageCache(task.cacheFolder),
  });
  return { ...(await openTable(task, rows.map(withoutNulls), source.split)), hub: source, parts };
}

/** Rows of a file or folder, with fields from the files that a mapping names. Throws BadInput. */
async function rowsOfSource(path: string, mapping: ImportMapping | null): Promise<JsonObject[]> {
  const { folder, lines, columns, quotes } = mapping?.text ?? {};
  if (folder !== undefined && !isFile(path)) return folderRows(path, folder);
  const rows =
    isFile(path) && isCsv(path) ? csvRows(path, { columns, quotes }) : await rowsOfFile(path);
  return lines === undefined ? rows : withLines(rows, path, lines);
}

/** Rows of a Parquet file or of a dataset file. Throws BadInput. */
async function rowsOfFile(path: string): Promise<JsonObject[]> {
  if (isFile(path) && isParquet(path)) {
    const rows: JsonObject[] = [];
    for await (const row of parquetRows(path)) rows.push(withoutNulls(row));
    return rows;
  }
  const file = openDataset(path);
  try {
    return Array.from(readLines(file.fd, path), ({ bytes, number }) => {
      const row = parseRow(bytes);
      if (row.ok && isJsonObject(row.value)) return row.value;
      throw badLine(file, number, row.ok ? "the row is not a JSON object" : row.error);
    });
  } finally {
    closeSync(file.fd);
  }
}

/** Writes rows of a table to a temporary file. A row without an id gets the split's name and its number as id. */
async function openTable(
  { source, suite: named, mapping = null }: SourceTask,
  given: JsonObject[],
  split: string,
) {
  const rows = mapping === null ? given : await mappedRows(source, given, mapping);
  const rowsFor = (suite: Suite, from: JsonObject[]) =>
    from.map((row, index) => datasetRow(suite, row, split, index));
  const suite = named ?? suiteOfColumns(source, rows.slice(0, LOOKED_AT), rowsFor);
  const lines = rowsFor(suite, rows).map((row) => `${JSON.stringify(row)}\n`);
  return { file: { fd: spooledText(lines), name: source, hasRows: true }, suite };
}

/** Maps rows in sequence, because the time limit of an expression counts from its start. */
async function mappedRows(
  source: string,
  given: readonly JsonObject[],
  mapping: ImportMapping,
): Promise<JsonObject[]> {
  const rows: JsonObject[][] = [];
  for (const [i, row] of given.entries()) {
    rows.push(await mapping.rowsOf(row, `${source}: row ${i + 1}`));
  }
  mapping.refuseUnused();
  return rows.flat();
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function suiteOfColumns(
  name: string,
  rows: Parameters<typeof suiteOfRows>[0] & Parameters<typeof datasetRow>[1][],
  rowsFor: (suite: Suite, from: typeof rows) => ReturnType<typeof datasetRow>[],
): Suite {
  const mapping = suites.map((suite) => ({
    ...suite,
    checkSample: (row: unknown) => suite.checkSample(rowsFor(suite, [row as (typeof rows)[0]])[0]),
  }));
  const recognized = suiteOfRows(rows, mapping, SUITE_FLAG_HINT);
  if (!recognized.ok) throw new BadInput(`${name}: ${recognized.error}`);
  return suites.find(({ id }) => id === recognized.value.id)!;
}

/** Whether a file is CSV, by its name. */
const isCsv = (path: string): boolean => /\.(csv|tsv)$/i.test(path);

/** Rows of a CSV file, as texts by column. Throws BadInput. */
function csvRows(path: string, form: TableForm = {}): JsonObject[] {
  const text = readText(path);
  try {
    return csvTable(text, parse, { ...form, hasTabs: /\.tsv$/i.test(path) });
  } catch (error) {
    if (error instanceof CsvError || error instanceof RangeError)
      throw new BadInput(`${path}: not CSV: ${error.message}`);
    throw error;
  }
}
