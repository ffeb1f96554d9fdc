/** Invalid input that the user can correct: printed on one line, without a stack; exit code 2. */
export class BadInput extends Error {}

/** A file with lines or rows. */
export interface LinesOf {
  name: string;
  /** Whether numbers are rows of an array, a table or a folder instead of lines. */
  hasRows?: boolean | undefined;
}

/**
 * A line of a file, in the format that editors and terminals link, or a row.
 * @example placeIn({ name: "a.csv", hasRows: true }, 3) // "a.csv: row 3"
 */
export const placeIn = (file: string | LinesOf, line: number): string => {
  const { name, hasRows = false } = typeof file === "string" ? { name: file } : file;
  return hasRows ? `${name}: row ${line}` : `${name}:${line}`;
};

/** A bad line of a file. */
export function badLine(file: string | LinesOf, line: number, reason: string): BadInput {
  return new BadInput(`${placeIn(file, line)}: ${reason}`);
}

/**
 * The command worked, but a check failed: printed without a stack, one line per reason; exit
 * code 1.
 */
export class NotPassed extends Error {}
