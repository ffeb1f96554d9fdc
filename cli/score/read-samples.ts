import type { Json } from "#shared/contracts/json.ts";
import { err } from "#shared/contracts/result.ts";
import type { CheckedSample, Suite } from "#shared/contracts/suite.ts";
import { rowFlaw } from "#shared/contracts/text/well-formed.ts";
import type { OpenFile } from "../files/open-file.ts";
import { idIn, idOf, parseRow } from "../files/parse-row.ts";
import { type Line, readLines } from "../files/read-lines.ts";
import { RowNotes } from "../files/row-notes.ts";
import { growArray } from "./grow-array.ts";
import type { IdTable } from "./id-table.ts";

/** Occurrence of an id in the dataset. */
const ABSENT = 0;
const MALFORMED = 1;
const USED = 2;

/** A sample that can be scored. */
export interface UsableSample {
  sample: unknown;
  head: ReturnType<Suite["sampleHead"]>;
  /** The number of its id in the table. */
  number: number;
  /** From 1. */
  line: number;
  /** The unchanged row, and its bytes. */
  row: Json;
  bytes: Buffer;
}

/** Reads a dataset row by row as the service does: unusable rows are noted and left out. */
export class SampleReader {
  readonly malformed: RowNotes;
  readonly warnings: RowNotes;
  readonly #suite: Suite;
  readonly #ids: IdTable;
  #standing = new Uint8Array(1024);

  /** `maxNotes`: maximum notes of each kind; default: the service's limit. */
  constructor(suite: Suite, ids: IdTable, maxNotes?: number) {
    this.malformed = new RowNotes(maxNotes);
    this.warnings = new RowNotes(maxNotes);
    this.#suite = suite;
    this.#ids = ids;
  }

  /** The usable samples, in the file's order. */
  *read({ fd, name }: OpenFile): Generator<UsableSample> {
    for (const line of readLines(fd, name)) {
      const row = parseRow(line.bytes);
      const checked = row.ok ? this.#check(row.value) : row;
      if (row.ok && checked.ok) yield* this.#use(line, row.value, checked.value);
      else if (!checked.ok) {
        this.#leaveOut(line, row.ok ? idOf(row.value) : idIn(line.bytes), checked.error);
      }
    }
  }

  /** Whether the dataset has the id with this number, even in an unusable row. */
  has(number: number): boolean {
    return (this.#standing[number] ?? ABSENT) !== ABSENT;
  }

  #check(row: Json): ReturnType<Suite["checkSample"]> {
    const flaw = rowFlaw(row);
    return flaw === null ? this.#suite.checkSample(row) : err(flaw);
  }

  *#use(line: Line, row: Json, checked: CheckedSample<unknown>): Generator<UsableSample> {
    const head = this.#suite.sampleHead(checked.sample);
    const number = this.#number(head.id);
    if (this.#standing[number] === USED) {
      const reason = `duplicate id ${JSON.stringify(head.id)}`;
      this.malformed.add({ line: line.number, id: head.id, reason });
      return;
    }
    this.#standing[number] = USED;
    for (const reason of checked.warnings) {
      this.warnings.add({ line: line.number, id: head.id, reason });
    }
    yield { sample: checked.sample, head, number, line: line.number, row, bytes: line.bytes };
  }

  #leaveOut(line: Line, id: string | null, reason: string): void {
    this.malformed.add({ line: line.number, id, reason });
    if (id === null) return;
    const number = this.#number(id);
    if (this.#standing[number] === ABSENT) this.#standing[number] = MALFORMED;
  }

  #number(id: string): number {
    const number = this.#ids.add(id);
    this.#standing = growArray(this.#standing, number + 1);
    return number;
  }
}
