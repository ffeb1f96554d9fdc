import type { Json } from "#shared/contracts/json.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import type { PlannedTest } from "#shared/contracts/submissions/planned-test.ts";
import { marginProblem } from "#shared/measures/comparison/margin-tests.ts";
import { incomparable } from "../comparisons/planned-test.ts";
import type { Reader } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { isReadableBy } from "../runs/access.ts";
import type { PlannedSubmission } from "./plan-runs.ts";

const place = "/options/plannedTest";

/** Why a test can't be planned; empty if it can, or none is requested. */
export async function plannedTestErrors(
  platform: Platform,
  submission: PlannedSubmission,
  reader: Reader,
): Promise<FieldError[]> {
  const { request, options, suite, plan } = submission;
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
  if (options["reuseAnswers"] === true) {
    const detail = "answers may exist already: leave it or options.plannedTest out";
    errors.push({ pointer: "/options/reuseAnswers", detail });
  }
  const { metric, margin, samples = plan.heads.length } = test;
  const ids = suite.metrics.map(({ id }) => id);
  const problem = marginProblem(new Map([[metric, margin]]), ids, suite.metrics);
  if (problem !== null) errors.push({ pointer: `${place}/metric`, detail: problem });
  if (samples !== plan.heads.length) {
    const detail = `is ${samples}, but ${plan.heads.length} samples would be evaluated: correct it, or leave it out`;
    errors.push({ pointer: `${place}/samples`, detail });
  }
  const detail = await againstProblem(platform, submission, test.against, reader);
  if (detail !== null) errors.push({ pointer: `${place}/against`, detail });
  return errors;
}

/** Why runs can't be tested against another; null if they can. */
async function againstProblem(
  platform: Platform,
  { request, suite, dataset, runs, judging }: PlannedSubmission,
  against: string,
  reader: Reader,
): Promise<string | null> {
  const run = await platform.runs.get(against);
  if (run === null || !isReadableBy(run, reader)) return `there is no run "${against}"`;
  if (run.visibility === "private" && request.visibility !== "private") {
    return `run "${against}" is private: make this one private, too, or that one public first`;
  }
  if (run.status !== "finished") return `run "${against}" is not finished`;
  if (run.suite !== suite.id || run.datasetVersion !== dataset.version) {
    return `run "${against}" is on other samples: ${run.datasetName}@${run.datasetVersion.slice(0, 12)} of suite ${run.suite}`;
  }
  const differing = runs.flatMap(({ variant, suiteOptions }) =>
    incomparable(run, {
      suite: suite.id,
      datasetVersion: dataset.version,
      datasetSamples: dataset.samples,
      options: { ...variant.options, ...(suiteOptions as object) } as Record<string, Json>,
      scoringVersion: scoringVersionOf(suite, suiteOptions, judging),
    }),
  );
  if (differing.length === 0) return null;
  return `run "${against}" can't be compared with this one: they differ in ${[...new Set(differing)].join("; ")}`;
}
