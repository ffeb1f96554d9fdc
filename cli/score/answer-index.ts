import { readSync } from "node:fs";
import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import type { Result } from "#shared/contracts/result.ts";
import {
  type SubmittedAnswer,
  submittedAnswerSchema,
  unreadJudgments,
  unreadToolCalls,
} from "#shared/contracts/submissions/submitted-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { badLine } from "../errors.ts";
import { EventLoopPause } from "../files/event-loop-pause.ts";
import type { OpenFile } from "../files/open-file.ts";
import { parseRow, readLines } from "../files/read-lines.ts";
import { growArray, IdTable, type IdTableState } from "./id-table.ts";
import { answerFields, answerRow, schemaProblem } from "./schema-problem.ts";

const NONE = -1;

/** Bytes read ahead if the file is read in order. */
const AHEAD_BYTES = 1 << 20;

/** A read this close after the last one counts as reading in order. */
const NEAR_BYTES = 4096;

/** An answer's row, and its line in the file. */
export interface AnswerRow {
  row: SubmittedAnswer;
  line: number;
}

/** The state of an index over an open file. */
export interface AnswerIndexState {
  file: Pick<OpenFile, "fd" | "name">;
  ids: IdTableState;
  answered: number;
  rows: {
    offsets: Float64Array<ArrayBuffer>;
    lengths: Uint32Array<ArrayBuffer>;
    lines: Uint32Array<ArrayBuffer>;
    next: Int32Array<ArrayBuffer>;
    first: Int32Array<ArrayBuffer>;
  };
}

/**
 * The position of each answer in a file. The rows are checked once, in the file's order, and read again for their
 * sample, so answers may be in any order. Memory: 20 bytes per row plus the table of ids,
 * about 50 MB for a million rows.
 */
export class AnswerIndex {
  /** Numbers the ids of answers first; ids of samples without an answer may follow. */
  readonly ids: IdTable;
  /** Stated sources of answers; null: not stated. Answers with an error have no source. */
  readonly sources = new Set<string | null>();
  /** Number of ids with an answer. */
  answered = 0;
  readonly #file: OpenFile;
  readonly #read: (offset: number, length: number) => Buffer;
  #rows = 0;
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #lines = new Uint32Array(1024);
  /** For each row, the next row with the same id. */
  #next = new Int32Array(1024);
  /** For each id's number, its first row. */
  #first = new Int32Array(1024);

  private constructor(file: OpenFile, ids = new IdTable()) {
    this.#file = file;
    this.#read = pieceReader(file.fd);
    this.ids = ids;
  }

  /** An index of the same file in another thread, to look up rows. */
  static from({ file, ids, answered, rows }: AnswerIndexState): AnswerIndex {
    const index = new AnswerIndex(file, IdTable.from(ids));
    index.answered = answered;
    [index.#offsets, index.#lengths] = [rows.offsets, rows.lengths];
    [index.#lines, index.#next, index.#first] = [rows.lines, rows.next, rows.first];
    return index;
  }

  /** The state with which another thread can look up rows of the open file. */
  stateOf(file: OpenFile): AnswerIndexState {
    const [offsets, lengths, lines] = [this.#offsets, this.#lengths, this.#lines];
    const rows = { offsets, lengths, lines, next: this.#next, first: this.#first };
    return { file, ids: this.ids.state, answered: this.answered, rows };
  }

  /** Reads and checks the open file. An id may have at most one row for each repeat. */
  static async of(file: OpenFile, suite: Suite, repeats: number): Promise<AnswerIndex> {
    const index = new AnswerIndex(file);
    const pause = new EventLoopPause();
    for (const line of readLines(file.fd, file.name)) {
      const row = checkAnswerRow(file, line.number, parseRow(line.bytes), suite);
      const { id } = row;
      if (!row.error) index.sources.add(row.source ?? null);
      const at = index.#append(line.offset, line.bytes.length, line.number);
      index.#link(id, at, repeats);
      if (pause.isDue) await pause.take();
    }
    index.answered = index.ids.size;
    return index;
  }

  /** Number of rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The rows of an id, in the file's order. */
  *rowsOf(id: string): Generator<AnswerRow> {
    for (const at of this.#placesOf(id)) {
      const line = this.#lines[at]!;
      const row = parseRow(this.#bytesAt(at));
      if (!row.ok || !isJsonObject(row.value) || row.value["id"] !== id) {
        throw badLine(this.#file, line, "the file changed while it was being read");
      }
      yield { row: answerRow(row.value) as unknown as SubmittedAnswer, line };
    }
  }

  /** The bytes of an id's rows, each valid until the next one is read. */
  *bytesOf(id: string): Generator<Buffer> {
    for (const at of this.#placesOf(id)) yield this.#bytesAt(at);
  }

  *#placesOf(id: string): Generator<number> {
    const number = this.ids.find(id);
    const isKnown = number >= 0 && number < this.answered;
    for (let at = isKnown ? this.#first[number]! : NONE; at !== NONE; at = this.#next[at]!)
      yield at;
  }

  #bytesAt(at: number): Buffer {
    return this.#read(this.#offsets[at]!, this.#lengths[at]!);
  }

  /** The line and the id of an id's first row. */
  whereIs(number: number): { line: number; id: string } {
    const at = this.#first[number]!;
    const row = parseRow(this.#bytesAt(at));
    return { line: this.#lines[at]!, id: row.ok ? String((row.value as { id?: unknown }).id) : "" };
  }

  #append(offset: number, length: number, line: number): number {
    const at = this.#rows++;
    this.#offsets = growArray(this.#offsets, this.#rows);
    this.#lengths = growArray(this.#lengths, this.#rows);
    this.#lines = growArray(this.#lines, this.#rows);
    this.#next = growArray(this.#next, this.#rows);
    this.#offsets[at] = offset;
    this.#lengths[at] = length;
    this.#lines[at] = line;
    this.#next[at] = NONE;
    return at;
  }

  #link(id: string, at: number, repeats: number): void {
    const known = this.ids.size;
    const number = this.ids.add(id);
    if (number === known) {
      this.#first = growArray(this.#first, known + 1);
      this.#first[number] = at;
      return;
    }
    let last = this.#first[number]!;
    let count = 1;
    for (; this.#next[last] !== NONE; count++) last = this.#next[last]!;
    if (count >= repeats) throw this.#tooMany(id, number, at, repeats);
    this.#next[last] = at;
  }

  #tooMany(id: string, number: number, at: number, repeats: number) {
    const first = this.#lines[this.#first[number]!]!;
    const reason =
      repeats === 1
        ? `duplicate id ${JSON.stringify(id)}, first on ${this.#file.hasRows ? "row" : "line"} ${first}: give --repeats N if samples have several answers`
        : `the id ${JSON.stringify(id)} occurs more than ${repeats} times (--repeats)`;
    return badLine(this.#file, this.#lines[at]!, reason);
  }
}

/**
 * Reads pieces of an open file by position. Consecutive pieces come from large reads; any other piece needs a separate
 * read. A piece is only valid until the next one is read.
 */
export function pieceReader(fd: number): (offset: number, length: number) => Buffer {
  let buffer = Buffer.allocUnsafe(AHEAD_BYTES);
  let held = { from: 0, to: 0 };
  let lastEnd = 0;
  return (offset, length) => {
    const inOrder = offset >= lastEnd && offset - lastEnd <= NEAR_BYTES;
    lastEnd = offset + length;
    if (offset < held.from || lastEnd > held.to) {
      const wanted = inOrder ? Math.max(length, AHEAD_BYTES) : length;
      if (wanted > buffer.length) buffer = Buffer.allocUnsafe(wanted);
      held = { from: offset, to: offset + readFully(fd, buffer, offset, wanted) };
    }
    return buffer.subarray(offset - held.from, Math.min(lastEnd, held.to) - held.from);
  };
}

/** A read may return less than requested before the file ends. */
function readFully(fd: number, buffer: Buffer, offset: number, wanted: number): number {
  let total = 0;
  while (total < wanted) {
    const read = readSync(fd, buffer, total, wanted - total, offset + total);
    if (read === 0) break;
    total += read;
  }
  return total;
}

/** The row as an answer to `suite`; throws BadInput with its first error. */
function checkAnswerRow(
  file: OpenFile,
  line: number,
  row: Result<Json, string>,
  suite: Suite,
): SubmittedAnswer {
  if (!row.ok) throw badLine(file, line, row.error);
  const given = answerRow(row.value);
  const checked = submittedAnswerSchema.safeParse(given);
  if (!checked.success) {
    throw badLine(file, line, schemaProblem(checked.error.issues, given, answerFields, "the row"));
  }
  const unread = unreadToolCalls(checked.data, suite);
  if (unread !== null) throw badLine(file, line, `/toolCalls: ${unread}`);
  const judgments = unreadJudgments(checked.data, suite);
  if (judgments !== null) {
    throw badLine(file, line, `${judgments.pointer}: ${judgments.detail}`);
  }
  return checked.data;
}
