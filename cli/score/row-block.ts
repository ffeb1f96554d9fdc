import type { OpenFile } from "../files/open-file.ts";
import { readLines } from "../files/read-lines.ts";
import type { AnswerIndex } from "./answer-index.ts";
import {
  type ExaminedRow,
  examineRow,
  type RowScore,
  type ScoringRules,
  scoreRow,
} from "./score-row.ts";

/** Lines and bytes per block: some milliseconds of work, so that threads end at about the same time. */
const MOST_LINES = 64;
const MOST_BYTES = 1 << 19;

/** Consecutive lines of a dataset. */
export interface RowBlock {
  bytes: Uint8Array<ArrayBuffer>;
  /** For each line, its number in the file, from 1, and its range in `bytes`. */
  lines: { number: number; start: number; end: number }[];
}

/** A row with the scores of its answers; without scores unless it is a sample. */
export interface ScoredRow<Row> {
  row: Row;
  scores: RowScore[];
}

/** The lines of an open dataset in blocks, in the order of the file. Throws BadInput. */
export function* blocksOf({ fd, name }: OpenFile): Generator<RowBlock> {
  let pieces: Buffer[] = [];
  let lines: RowBlock["lines"] = [];
  let end = 0;
  const block = (): RowBlock => {
    const bytes = new Uint8Array(end);
    for (const [i, { start }] of lines.entries()) bytes.set(pieces[i]!, start);
    return { bytes, lines };
  };
  for (const line of readLines(fd, name)) {
    pieces.push(Buffer.from(line.bytes));
    lines.push({ number: line.number, start: end, end: end + line.bytes.length });
    end += line.bytes.length;
    if (lines.length < MOST_LINES && end < MOST_BYTES) continue;
    yield block();
    [pieces, lines, end] = [[], [], 0];
  }
  if (lines.length > 0) yield block();
}

/** The bytes of one line of a block. */
export const lineBytes = ({ bytes }: RowBlock, { start, end }: RowBlock["lines"][number]): Buffer =>
  Buffer.from(bytes.buffer, start, end - start);

/** Scores the rows of a block in order. */
export function scoreBlock(
  rules: ScoringRules,
  block: RowBlock,
  index: AnswerIndex,
): ScoredRow<ExaminedRow>[] {
  return block.lines.map((line) => {
    const row = examineRow(rules.suite, lineBytes(block, line));
    return { row, scores: row.ok ? scoreRow(rules, row, index) : [] };
  });
}
