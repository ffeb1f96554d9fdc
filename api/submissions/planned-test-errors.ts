import type { FieldError } from "#shared/contracts/problem.ts";
import type { PlannedTest } from "#shared/contracts/submissions/planned-test.ts";
import { marginProblem } from "#shared/measures/comparison/margin-tests.ts";
import type { Reader } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { isReadableBy } from "../runs/access.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

const place = "/options/plannedTest";

/** Why a test can't be planned; empty if it can, or none is. */
export async function plannedTestErrors(
  platform: Platform,
  { request, options, suite, dataset }: ResolvedSubmission,
  reader: Reader,
): Promise<FieldError[]> {
  const test = options["plannedTest"] as PlannedTest | undefined;
  if (test === undefined) return [];
  const errors: FieldError[] = request.models.flatMap(({ answers }, i) =>
    answers === undefined
      ? []
      : [
          {
            pointer: `/models/${i}/answers`,
            detail:
              "exist already: a test can only be planned before, so leave options.plannedTest out",
          },
        ],
  );
  const { metric, margin, against } = test;
  const ids = suite.metrics.map(({ id }) => id);
  const problem = marginProblem(new Map([[metric, margin]]), ids, suite.metrics);
  if (problem !== null) errors.push({ pointer: `${place}/metric`, detail: problem });
  const run = await platform.runs.get(against);
  const detail =
    run === null || !isReadableBy(run, reader)
      ? `there is no run "${against}"`
      : run.status !== "finished"
        ? `run "${against}" is not finished`
        : run.suite !== suite.id || run.datasetVersion !== dataset.version
          ? `run "${against}" is on other samples: ${run.datasetName}@${run.datasetVersion.slice(0, 12)} of suite ${run.suite}`
          : null;
  if (detail !== null) errors.push({ pointer: `${place}/against`, detail });
  return errors;
}
