import type { RowNote } from "#shared/contracts/dataset.ts";
import { printable } from "../printable.ts";
import type { CheckedDataset } from "./check-dataset.ts";

/** Every remark on a file's rows, a line each, in the file's order. */
export function noteLines(file: string, { malformed, warnings }: CheckedDataset): string[] {
  const lines = [
    ...malformed.kept.map((note) => ({ note, end: "" })),
    ...warnings.kept.map((note) => ({ note, end: " (warning)" })),
  ].toSorted((a, b) => a.note.line - b.note.line);
  return lines.map(({ note, end }) => `${noteLine(file, note)}${end}`);
}

/** @example noteLine("a.jsonl", { line: 2, id: "x", reason: "text is missing" }) // 'a.jsonl:2: sample "x": text is missing' */
function noteLine(file: string, { line, id, reason }: RowNote): string {
  const name = id === null ? "" : `sample ${JSON.stringify(id)}: `;
  return printable(`${file}:${line}: ${name}${reason}`);
}
