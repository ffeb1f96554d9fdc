/** Where a name may break: after a space, and after the separators of paths. */
const breaks = /(?<=[\s/._\-–])/u;

/** Shorter parts of a word tell nothing. */
const shortestPart = 4;

/**
 * A name in lines of so many characters, broken between its words; null where it does not fit into so many lines.
 * A word that is longer than a line fits nowhere.
 */
export const wrapLabel = (label: string, perLine: number, mostLines: number): string | null =>
  inLines(label.split(breaks), perLine, mostLines);

/** The name in as many lines as there are, long words broken by hyphens, or cut where all that is too long. */
export function fitLabel(label: string, perLine: number, mostLines: number): string {
  const pieces = label.split(breaks).flatMap((piece) => hyphenated(piece, perLine));
  return (
    wrapLabel(label, perLine, mostLines) ??
    inLines(pieces, perLine, mostLines) ??
    cutLabel(label, perLine)
  );
}

function inLines(pieces: readonly string[], perLine: number, mostLines: number): string | null {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const joined = `${last ?? ""}${piece}`;
    if (last !== undefined && joined.trimEnd().length <= perLine) lines[lines.length - 1] = joined;
    else lines.push(piece);
  }
  const trimmed = lines.map((line) => line.trimEnd());
  const fits = trimmed.length <= mostLines && trimmed.every((line) => line.length <= perLine);
  return fits ? trimmed.join("\n") : null;
}

function hyphenated(piece: string, perLine: number): string[] {
  if (piece.trimEnd().length <= perLine || perLine <= shortestPart) return [piece];
  const rest = Math.max(shortestPart, piece.trimEnd().length - (perLine - 1));
  const at = piece.trimEnd().length - rest;
  return [`${piece.slice(0, at)}-`, ...hyphenated(piece.slice(at), perLine)];
}

/** A name of so many characters at most; what is cut off shows as an ellipsis. */
export const cutLabel = (label: string, most: number): string =>
  label.length <= most ? label : `${label.slice(0, Math.max(1, most - 1))}…`;

/** Of the size of a text: an average character, and one of full width where scripts have them. */
const characterShare = 0.567;
const fullShare = 1;

/** Of a chart's texts where nothing else is said, px. */
const usualSize = 12;

/** About how wide a text is, px: charts are drawn where nothing can be measured. */
export function textWidth(text: string, size: number = usualSize): number {
  let width = 0;
  for (const character of text) {
    width += size * (character > "\u2e80" ? fullShare : characterShare);
  }
  return width;
}

/** Characters that fit into a width, px. */
export const charactersIn = (width: number, size: number = usualSize): number =>
  Math.max(0, Math.floor(width / (size * characterShare)));
