import { ZodError } from "zod";
import type { Run } from "../../../contracts/run.ts";
import type { Suite } from "../../../contracts/suite.ts";

/**
 * What a suite makes of results that were stored when it may have been another version, or `older` where
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
