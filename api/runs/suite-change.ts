import { scoringVersionOf } from "#shared/contracts/scoring-version.ts";
import { promptHashOf } from "../boards/board-identity.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import { withCurrentPrompts } from "../judging/resolve-judging.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";

/** What has become of a run's suite since, in words; null where it asks and scores as it did. */
export function suiteChange(
  ports: Pick<Ports, "suites">,
  run: Pick<
    RunRecord,
    "suite" | "suiteVersion" | "options" | "scoringVersion" | "promptHash" | "judging"
  >,
): string | null {
  const suite = ports.suites.byId(run.suite);
  if (suite === undefined) return `suite "${run.suite}" is not part of this service any more`;
  const options = suite.optionsSchema.safeParse(suiteOptionsOf(run.options));
  const isSame =
    options.success &&
    scoringVersionOf(suite, options.data, withCurrentPrompts(suite, run.judging)) ===
      run.scoringVersion &&
    (run.promptHash === null || promptHashOf(suite, options.data) === run.promptHash);
  if (isSame) return null;
  return `suite "${run.suite}" has changed since the run (version ${run.suiteVersion}, now ${suite.version})`;
}
