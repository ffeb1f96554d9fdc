import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging.ts";
import { headlineOf } from "#shared/contracts/ranking.ts";
import { scoringVersionOf } from "#shared/contracts/scoring-version.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { BoardRecord } from "../ports.ts";
import type { ResolvedSubmission } from "../submissions/resolve-submission.ts";

/** Hex digits of an id made from a hash: enough that two boards never meet. */
const ID_LENGTH = 16;

/** SHA-256 of what the model is told apart from the sample. */
export const promptHashOf = (suite: Suite, options: unknown): string =>
  contentHash(suite.prompt(options));

/** A board without what is ranked on it. */
export type BoardIdentity = Omit<
  BoardRecord,
  | "entries"
  | "comparedSamples"
  | "tests"
  | "updatedAt"
  | "supersededBy"
  | "supersededAt"
  | "leaseExpiresAt"
>;

/**
 * The board that a submission's full runs are comparable on: suite, dataset version, scoring
 * version (of a judged suite its judges are a part), prompt, repeats, structured-output mode, and the metric
 * that ranks where that depends on what answers.
 */
export function boardIdentity(
  submission: Pick<
    ResolvedSubmission,
    "suite" | "suiteOptions" | "plan" | "judging" | "standardJudging"
  > & { dataset: Omit<ResolvedSubmission["dataset"], "owner"> },
  declaredPrompt: string | undefined,
): BoardIdentity {
  const { suite, dataset, suiteOptions, plan, judging, standardJudging } = submission;
  const own = comparable(suite, suiteOptions, judging, plan.repeats, declaredPrompt);
  const headline = headlineOf(suite, suiteOptions);
  const ranking = headline === suite.headline ? {} : { headline };
  const standard = comparable(suite, suite.optionsSchema.parse({}), standardJudging, 1, undefined);
  return {
    id: contentHash({
      ...own,
      ...ranking,
      dataset: { name: dataset.name, version: dataset.version },
    }).slice(0, ID_LENGTH),
    suite: suite.id,
    suiteVersion: suite.version,
    headline,
    datasetName: dataset.name,
    datasetVersion: dataset.version,
    datasetSamples: dataset.samples,
    scoringVersion: own.scoringVersion,
    promptHash: own.promptHash,
    structuredOutput: own.structuredOutput,
    judging,
    repeats: own.repeats,
    hiddenSamples: dataset.visibility === "private",
    isDefault: contentHash(own) === contentHash(standard),
  };
}

function comparable(
  suite: Suite,
  options: unknown,
  judging: RunJudging | null,
  repeats: number,
  declaredPrompt?: string,
) {
  const mode = (options as Record<string, Json>)["structuredOutput"];
  return {
    suite: suite.id,
    scoringVersion: scoringVersionOf(suite, options, judging),
    promptHash: declaredPrompt ?? promptHashOf(suite, options),
    structuredOutput: typeof mode === "string" ? mode : "none",
    repeats,
  };
}
