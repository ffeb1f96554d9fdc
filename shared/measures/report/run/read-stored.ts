import { ZodError } from "zod";
import type { Run } from "../../../contracts/run.ts";
import type { Suite } from "../../../contracts/suite.ts";

/**
 * Results stored by a possibly older version of a suite, read by this version, or `older` if
 * it can't read them: what a schema refuses has a shape that the suite no longer has, and of results of
 * another version nothing is promised. Anything else is a mistake of the suite and is thrown.
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
