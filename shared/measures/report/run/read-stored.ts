import { ZodError } from "zod";
import type { Run } from "../../../contracts/run.ts";
import type { Suite } from "../../../contracts/suite.ts";

/**
 * Reads results that a possibly older version of a suite stored; returns `older` if this version can't: if a schema
 * rejects them, or if they are of another version and reading throws. Any other error is a bug of the suite and is
 * thrown.
 * @example readStored(suite, run, () => suite.report(summary, facts), [])
 */
export function readStored<T>(
  suite: Pick<Suite, "version">,
  run: Pick<Run, "suiteVersion">,
  read: () => T,
  older: T,
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ZodError || run.suiteVersion !== suite.version) return older;
    throw error;
  }
}
