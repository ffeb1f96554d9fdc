/** Where a name may break: after a space, and after the separators of paths. */
const breaks = /(?<=[\s/._\-–])/u;

/** Shorter parts of a word are not useful. */
const shortestPart = 4;

/**
 * A name in lines of at most `perLine` characters, broken between words; null if it does not fit into the number of
 * lines, or a word is longer than a line.
 */
export const wrapLabel = (label: string, perLine: number, mostLines: number): string | null =>
  inLines(label.split(breaks), perLine, mostLines);

/** The name in the available lines, with long words hyphenated, and cut if it is still too long. */
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

/** Minimum length of a cut text that keeps its end. */
const leastWithEnd = 12;

/** A name of at most this many characters, cut before its end, because the end often distinguishes it from others. */
export function cutLabel(label: string, most: number): string {
  if (label.length <= most) return label;
  const end = most < leastWithEnd ? 0 : Math.floor((most - 1) / 2);
  return `${label.slice(0, Math.max(1, most - 1 - end))}…${label.slice(label.length - end)}`;
}

/** Widths relative to the text size: of an average character, and of a full-width one. */
const characterShare = 0.567;
const fullShare = 1;

/** Default size of a chart's texts, px. */
const usualSize = 12;

/** Approximate width of a text, px: charts are drawn where text can't be measured. */
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
