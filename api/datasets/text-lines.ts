/** A line of a file: its number from 1, and its bytes. */
interface TextLine {
  number: number;
  bytes: Uint8Array;
}

const NEW_LINE = 0x0a;

/**
 * The lines of a file in UTF-8, one by one and without copying it: as text a large file would take its
 * size several times over. Lines of white space alone are left out.
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
