import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { printable } from "../printable.ts";
import { textTable } from "../score/text-table.ts";
import type { PartedText, PartTable } from "./text-part.ts";
import { wideTable, wrapped } from "./wrapped.ts";

/** A parted text for a terminal. Colours appear only where `stream` is a terminal that shows them. */
export function terminalText({ title, about, parts }: PartedText, stream: Writable): string {
  const paint = (style: "bold" | "dim", text: string) => styleText(style, text, { stream });
  const shown = parts.flatMap((part) => [
    "",
    paint("bold", part.title),
    ...layouts(part.table).flatMap(([head = "", ...rows]) => [
      paint("dim", head),
      ...rows.map(printable),
    ]),
    ...part.notes.flatMap((note) => wrapped(printable(note))).map((line) => paint("dim", line)),
  ]);
  const heading = [title, ...about].flatMap((line) => wrapped(printable(line)));
  return [...heading, ...shown].join("\n");
}

function layouts({ head, rows, isText, mayBreak = false }: PartTable): string[][] {
  return mayBreak ? wideTable([head, ...rows]) : [textTable([head, ...rows], isText)];
}
