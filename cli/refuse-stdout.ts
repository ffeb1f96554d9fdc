import { BadInput } from "./bad-input.ts";

/** Refuses `-` as the file of a flag beside --json: both would be written to standard output. */
export function refuseStdout(flag: string, file: string | null | undefined): void {
  if (file !== "-") return;
  throw new BadInput(`--${flag} - and --json both print to standard output: give one a file`);
}
