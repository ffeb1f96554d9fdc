import { bounds, cutText, holdsMoreValues } from "#shared/contracts/bounds.ts";
import { LinesHash, rowText } from "#shared/contracts/content-hash.ts";
import type { RowNote } from "#shared/contracts/datasets/dataset.ts";
import type { LikelyClusters } from "#shared/contracts/datasets/likely-clusters.ts";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { rowFlaw } from "#shared/contracts/text/well-formed.ts";
import { addSource, likelyClusters, noSources } from "#shared/measures/likely-clusters.ts";
import { placeBeyond, utf8Text } from "../security/json-depth.ts";
import type { DatasetIndex } from "./store.ts";

/** Twice the depth of the deepest real schemas; hashing, scoring and writing recurse over rows. */
const MAX_DEPTH = 128;

/** Maximum malformed rows, and warnings, that are kept: those of a large file would not fit in memory. */
export const MAX_NOTES = 500;

/** A file whose rows were read one by one; keeps the byte ranges of valid rows. */
export interface ReadRows {
  heads: DatasetIndex["heads"];
  lines: Uint8Array[];
  malformed: RowNote[];
  malformedCount: number;
  warnings: RowNote[];
  /** Size of the rows as stored. */
  bytes: number;
  /** SHA-256 of the rows as stored, one per line. */
  version: string;
  /** Samples that probably share a source, if no tag states it. */
  likely: LikelyClusters | null;
}

export function readRows(suite: Suite, file: Iterable<TextLine>): ReadRows {
  const usable: Uint8Array[] = [];
  const hash = new LinesHash();
  const heads: DatasetIndex["heads"] = [];
  const malformed: RowNote[] = [];
  const warnings: RowNote[] = [];
  const seen = new Set<string>();
  const sources = noSources();
  let [bytes, malformedCount] = [0, 0];
  const addMalformed = (line: number, id: string | null, reason: string) => {
    if (malformedCount++ < MAX_NOTES) malformed.push(rowNote(line, id, reason));
  };
  for (const { number: line, bytes: raw } of file) {
    const row = parsedRow(raw);
    const checked = row.ok ? checkRow(suite, row.value) : row;
    if (!checked.ok) {
      addMalformed(line, row.ok ? idOf(row.value) : null, checked.error);
      continue;
    }
    const head = suite.sampleHead(checked.value.sample);
    if (seen.has(head.id)) {
      addMalformed(line, head.id, `duplicate id "${head.id}"`);
      continue;
    }
    seen.add(head.id);
    usable.push(raw);
    hash.add(checked.value.text);
    bytes += new TextEncoder().encode(checked.value.text).length + 1;
    heads.push(head);
    addSource(sources, suite, { sample: checked.value.sample, tags: head.tags });
    for (const reason of checked.value.warnings) {
      if (warnings.length < MAX_NOTES) warnings.push(rowNote(line, head.id, reason));
    }
  }
  const likely = likelyClusters(sources);
  const version = hash.digest();
  return { heads, lines: usable, malformed, malformedCount, warnings, bytes, version, likely };
}

/** A note on a row; the reason may quote the row. */
export const rowNote = (line: number, id: string | null, reason: string): RowNote => ({
  line,
  id: id && cutText(id, bounds.name),
  reason: cutText(reason, bounds.message),
});

/** Parses rows again, one at a time: all rows with their compiled checks would not fit in memory. */
export function* parsedRows(lines: readonly Uint8Array[]): Generator<Json> {
  for (const bytes of lines) yield JSON.parse(lineText(bytes)) as Json;
}

/** A row in the suite's form and as stored, or why it is invalid. */
export function checkRow(suite: Suite, row: Json) {
  const flaw = rowFlaw(row);
  if (flaw !== null) return err(flaw);
  const checked = suite.checkSample(row);
  return checked.ok ? ok({ ...checked.value, text: rowText(row) }) : checked;
}

/** The JSON of a line within limits, or what is wrong with it. */
export function parsedRow(bytes: Uint8Array): Result<Json, string> {
  const text = utf8Text(bytes);
  if (text === null) return err("the line is not UTF-8 text: save the file in UTF-8");
  const deep = placeBeyond(text, MAX_DEPTH);
  if (deep !== null) return err(`${deep} nests arrays and objects deeper than ${MAX_DEPTH}`);
  if (holdsMoreValues(text, bounds.answerValues)) {
    return err(`it contains more than ${bounds.answerValues} values`);
  }
  try {
    return ok(JSON.parse(text) as Json);
  } catch (error) {
    return err(`the line is not JSON: ${(error as Error).message}`);
  }
}

function idOf(row: unknown): string | null {
  const id = (row as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : null;
}

export interface TextLine {
  number: number;
  bytes: Uint8Array;
}

const NEW_LINE = 0x0a;

/**
 * Lines of a UTF-8 file, one by one and without a copy: decoded, a large file would take a multiple of its size. Skips
 * lines with only white space.
 */
export function* linesOf(file: Uint8Array): Generator<TextLine> {
  let start = 0;
  for (let number = 1; start < file.length; number++) {
    const found = file.indexOf(NEW_LINE, start);
    const end = found < 0 ? file.length : found;
    const bytes = file.subarray(start, end);
    if (bytes.some((byte) => byte > 0x20)) yield { number, bytes };
    start = end + 1;
  }
}

/** The text of a line, without a byte order mark. */
export const lineText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
