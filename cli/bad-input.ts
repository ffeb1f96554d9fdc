/** Something in the input that the user can mend: printed on one line, without a stack; exit code 2. */
export class BadInput extends Error {}

/** A bad line of a file, as editors and terminals link it: `file:line: reason`. */
export function badLine(file: string, line: number, reason: string): BadInput {
  return new BadInput(`${file}:${line}: ${reason}`);
}
