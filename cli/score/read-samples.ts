import type { Json } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { BadInput, badLine, type LinesOf } from "../errors.ts";
import type { OpenFile } from "../files/open-file.ts";
import { readLines } from "../files/read-lines.ts";
import { RowNotes } from "../files/row-notes.ts";
import { growArray, type IdTable } from "./id-table.ts";
import { type ExaminedRow, examineRow } from "./score-row.ts";

/** State of an id in the dataset. */
const ABSENT = 0;
const MALFORMED = 1;
const USED = 2;

/** A sample that can be scored. */
export interface UsableSample {
  sample: unknown;
  head: ReturnType<Suite["sampleHead"]>;
  /** Line number from 1. */
  line: number;
  /** The unchanged row, and its bytes. */
  row: Json;
  bytes: Buffer;
}

/** Reads a dataset row by row like the service: unusable rows are noted and left out. */
export class SampleReader {
  readonly malformed: RowNotes;
  readonly warnings: RowNotes;
  readonly #suite: Suite;
  readonly #ids: IdTable;
  #standing = new Uint8Array(1024);

  /** `maxNotes`: maximum notes of each kind; default: the service's limit. */
  constructor(suite: Suite, ids: IdTable, { hasRows = false }: LinesOf, maxNotes?: number) {
    this.malformed = new RowNotes(maxNotes);
    this.warnings = new RowNotes(maxNotes);
    this.malformed.hasRows = hasRows;
    this.warnings.hasRows = hasRows;
    this.#suite = suite;
    this.#ids = ids;
  }

  /** The usable samples, in the file's order. */
  *read({ fd, name }: OpenFile): Generator<UsableSample> {
    for (const { number: line, bytes } of readLines(fd, name)) {
      const row = examineRow(this.#suite, bytes);
      if (this.takes(row, line)) yield { ...row, line, bytes };
    }
  }

  /** Whether a row is used, which is the first valid sample with its id. Otherwise notes the reason. */
  takes<Row extends ExaminedRow | AdmittedRow>(row: Row, line: number): row is Row & { ok: true } {
    if (row.ok === false) {
      this.#leaveOut(row, line);
      return false;
    }
    const { id } = row.head;
    const number = this.#number(id);
    if (this.#standing[number] === USED) {
      this.malformed.add({ line, id, reason: `duplicate id ${JSON.stringify(id)}` });
      return false;
    }
    this.#standing[number] = USED;
    for (const reason of row.warnings) this.warnings.add({ line, id, reason });
    return true;
  }

  /** Whether the dataset has the id with this number, even in an unusable row. */
  has(number: number): boolean {
    return (this.#standing[number] ?? ABSENT) !== ABSENT;
  }

  #leaveOut({ id, reason }: { id: string | null; reason: string }, line: number): void {
    this.malformed.add({ line, id, reason });
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

/** The result of another thread's check of a row, without its content. */
export type AdmittedRow =
  | Extract<ExaminedRow, { ok: false }>
  | Pick<Extract<ExaminedRow, { ok: true }>, "ok" | "head" | "warnings">;

/** The error if no row is usable: the first note, with `advice` if the file is JSON. */
export function noUsableSample(file: LinesOf, { kept: [first] }: RowNotes, advice = ""): BadInput {
  if (first === undefined) return new BadInput(`${file.name}: no samples found`);
  const more = first.reason.startsWith("the line is not") ? "" : advice;
  return badLine(file, first.line, `no valid sample; the first problem: ${first.reason}${more}`);
}
