import { headlineOf } from "#shared/contracts/boards/ranking.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { scoringVersionOf } from "#shared/contracts/judging/scoring-version.ts";
import type { SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { RunPlan } from "../engine/run-plan.ts";
import type { BoardIdentity } from "./schema.ts";

/** Hex digits of an id made from a hash: enough that two boards never meet. */
const ID_LENGTH = 16;

/** SHA-256 of the prompt without the sample. */
export const promptHashOf = (suite: Suite, options: unknown): string =>
  contentHash(suite.prompt(options));

/**
 * The prompt that a model's answers are known to be made with; null for answers made elsewhere with another one
 * than the suite's, or with one that nobody declared: any hash can be declared, and each would be a board.
 */
export function knownPrompt(
  suite: Suite,
  options: unknown,
  { answers, promptHash }: Pick<SubmittedModel, "answers" | "promptHash">,
): string | null {
  const own = promptHashOf(suite, options);
  return answers === undefined || promptHash === own ? own : null;
}

/** What of a run decides its board. */
export interface Comparable {
  suite: Suite;
  suiteOptions: unknown;
  dataset: Pick<Dataset, "name" | "version" | "samples" | "visibility">;
  plan: Pick<RunPlan, "repeats">;
  judging: RunJudging | null;
  /** Who would judge a run with the suite's default options. */
  standardJudging: RunJudging | null;
}

/**
 * The board that a submission's full runs are comparable on: suite, dataset version, scoring
 * version (of a judged suite its judges are a part), prompt, repeats, structured-output mode, and the metric
 * that ranks where that depends on what answers. With `prompt` null, the board of the standard options, which
 * lists such answers unranked. `maker`: the account whose options made the board, unless they are the standard ones.
 */
export function boardIdentity(
  { suite, dataset, suiteOptions, plan, judging, standardJudging }: Comparable,
  prompt: string | null,
  maker: string | null = null,
): BoardIdentity {
  const standard = comparable(suite, suite.optionsSchema.parse({}), standardJudging, 1, null);
  const own =
    prompt === null ? standard : comparable(suite, suiteOptions, judging, plan.repeats, prompt);
  const headline = headlineOf(suite, suiteOptions);
  const isDefault = contentHash(own) === contentHash(standard);
  const ranking = headline === suite.headline ? {} : { headline };
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
    judging: prompt === null ? standardJudging : judging,
    repeats: own.repeats,
    madeBy: isDefault ? null : maker,
    hiddenSamples: dataset.visibility === "private",
    isDefault,
  };
}

function comparable(
  suite: Suite,
  options: unknown,
  judging: RunJudging | null,
  repeats: number,
  prompt: string | null,
) {
  const mode = (options as Record<string, Json>)["structuredOutput"];
  return {
    suite: suite.id,
    scoringVersion: scoringVersionOf(suite, options, judging),
    promptHash: prompt ?? promptHashOf(suite, options),
    structuredOutput: typeof mode === "string" ? mode : "none",
    repeats,
  };
}
