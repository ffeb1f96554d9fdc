/** Invalid input that the user can correct: printed on one line, without a stack; exit code 2. */
export class BadInput extends Error {}

/** A bad line of a file, in the form that editors and terminals link: `file:line: reason`. */
export function badLine(file: string, line: number, reason: string): BadInput {
  return new BadInput(`${file}:${line}: ${reason}`);
}

/**
 * The command worked, but a check failed: printed without a stack, a line for each reason; exit
 * code 1.
 */
export class NotPassed extends Error {}
