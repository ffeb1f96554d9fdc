import type { RowNote } from "#shared/contracts/datasets/dataset.ts";
import { isJsonObject } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { datasetRow } from "#shared/measures/datasets/dataset-row.ts";
import type { RowMapper } from "#shared/measures/datasets/row-mapper.ts";
import { hash32 } from "#shared/stats/hash32.ts";
import { checkRow, lineText, parsedRow, rowNote, type TextLine } from "./read-rows.ts";

/** Maximum rows of a file: their keys take some 10 MB. */
const MOST_ROWS = 100_000;

/** Maximum invalid rows before drawing stops: mapping and checking each takes CPU time. */
const MOST_REFUSED = 500;

/** Each part of a mapping may copy the row. */
const MOST_MAPPED = 256 * 1024;

export interface DrawTask {
  suite: Suite;
  /** Null: the rows have the suite's format. */
  mapper: RowMapper | null;
  /** The field that identifies a row in a later file; null: its content does. */
  idField: string | null;
  /** Together with the rows, determines the order in which they are drawn. */
  seed: string;
  wanted: number;
  /** Keys of the rows of the previous file. */
  seen: ReadonlySet<number>;
  /** Ids of samples that the version already has. */
  taken: ReadonlySet<string>;
}

/** The drawn rows as stored, and statistics of the file. */
export interface DrawnRows {
  rows: string[];
  read: number;
  known: number;
  refused: RowNote[];
  keys: ReadonlySet<number>;
}

/**
 * Draws rows that the previous file did not have, with equal probability: the order depends on the seed and on each
 * row's id (or its text without one), not on its position. Invalid rows are noted and replaced by others, up to 500.
 * The error says that the file has too many rows.
 */
export async function drawRows(
  file: Iterable<TextLine>,
  task: DrawTask,
): Promise<Result<DrawnRows, string>> {
  const keys = new Set<number>();
  const fresh: { line: TextLine; place: number }[] = [];
  let read = 0;
  for (const line of file) {
    if (++read > MOST_ROWS) {
      return err(`it has more than ${MOST_ROWS} rows: give only the new ones, such as yesterday's`);
    }
    const identity = identityOf(line.bytes, task.idField);
    const key = hash32(identity);
    const isNew = !task.seen.has(key) && !keys.has(key);
    keys.add(key);
    if (isNew) fresh.push({ line, place: hash32(`${task.seed} ${identity}`) });
  }
  fresh.sort((a, b) => a.place - b.place || a.line.number - b.line.number);
  const { rows, refused } = await firstValid(
    fresh.map(({ line }) => line),
    task,
  );
  return ok({ rows, read, known: read - fresh.length, refused, keys });
}

/** The identity of a row: with an id, a row that is rated later is still the same. */
function identityOf(bytes: Uint8Array, idField: string | null): string {
  const text = lineText(bytes).trim();
  if (idField === null) return text;
  const row = parsedRow(bytes);
  const id = row.ok && isJsonObject(row.value) ? row.value[idField] : undefined;
  return typeof id === "string" || typeof id === "number" ? `id ${id}` : text;
}

async function firstValid(
  lines: readonly TextLine[],
  { suite, mapper, wanted, taken }: DrawTask,
): Promise<Pick<DrawnRows, "rows" | "refused">> {
  const rows: string[] = [];
  const refused: RowNote[] = [];
  const ids = new Set(taken);
  for (const { number, bytes } of lines) {
    if (rows.length >= wanted || refused.length >= MOST_REFUSED) break;
    const row = await suiteRow(suite, mapper, bytes);
    if (!row.ok) {
      refused.push(rowNote(number, null, row.error));
      continue;
    }
    const { id } = suite.sampleHead(row.value.sample);
    if (ids.has(id)) refused.push(rowNote(number, id, `duplicate id "${id}"`));
    else rows.push(row.value.text);
    ids.add(id);
  }
  return { rows, refused };
}

/**
 * A row as the suite reads it; if necessary as a table row, where JSON may be text. A row without an id gets one from
 * its content, so that it is the same in every file.
 */
async function suiteRow(suite: Suite, mapper: RowMapper | null, bytes: Uint8Array) {
  const parsed = parsedRow(bytes);
  if (!parsed.ok) return parsed;
  const text = lineText(bytes);
  if (!isJsonObject(parsed.value)) return err("the row is not a JSON object");
  if (mapper !== null && text.length > MOST_MAPPED) {
    return err(
      `the row has ${text.length} characters, more than the ${MOST_MAPPED} that are mapped`,
    );
  }
  const mapped = mapper === null ? ok([parsed.value]) : await mapper.rowsOf(parsed.value);
  if (!mapped.ok) return mapped;
  // A service accepts no mapping that splits rows.
  const [row = {}] = mapped.value;
  const number = hash32(text.trim());
  const checked = checkRow(suite, row["id"] === undefined ? { id: `row-${number}`, ...row } : row);
  if (checked.ok) return checked;
  const ofTable = checkRow(suite, datasetRow(suite, row, "row", number));
  return ofTable.ok ? ofTable : checked;
}
