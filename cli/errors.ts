/** Invalid input that the user can correct: printed on one line, without a stack; exit code 2. */
export class BadInput extends Error {}

/** What lines are in. */
export interface LinesOf {
  name: string;
  /** Each line is a row of an array, a table or a folder, where it has another line or none. */
  hasRows?: boolean | undefined;
}

/**
 * A line of a file, in the form that editors and terminals link, or a row of anything else.
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
 * The command worked, but a check failed: printed without a stack, a line for each reason; exit
 * code 1.
 */
export class NotPassed extends Error {}
