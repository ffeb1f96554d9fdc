import { cutLabel } from "./cut-label.ts";

/** Where a name may go on in the next line: after a space, and after signs that paths are made of. */
const breaks = /(?<=[\s/._\-–])/u;

/**
 * A name in lines of so many characters, broken between its words; null where it does not fit into so many lines.
 * A word that is longer than a line fits nowhere.
 */
export function wrapLabel(label: string, perLine: number, mostLines: number): string | null {
  const lines: string[] = [];
  for (const piece of label.split(breaks)) {
    const last = lines.at(-1);
    const joined = `${last ?? ""}${piece}`;
    if (last !== undefined && joined.trimEnd().length <= perLine) lines[lines.length - 1] = joined;
    else lines.push(piece);
  }
  const trimmed = lines.map((line) => line.trimEnd());
  const fits = trimmed.length <= mostLines && trimmed.every((line) => line.length <= perLine);
  return fits ? trimmed.join("\n") : null;
}

/** The name in as many lines as there are, or cut where it is too long for all of them. */
export const fitLabel = (label: string, perLine: number, mostLines: number): string =>
  wrapLabel(label, perLine, mostLines) ?? cutLabel(label, perLine);
