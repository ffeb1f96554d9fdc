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

/** Hex digits of a hash that make an id: enough to exclude collisions between boards. */
const ID_LENGTH = 16;

/** SHA-256 of the prompt without the sample. */
export const promptHashOf = (suite: Suite, options: unknown): string =>
  contentHash(suite.prompt(options));

/**
 * The prompt that produced a model's answers. Null for submitted answers with no declared prompt or with one that is
 * not the suite's: anybody could declare any hash, and each would create a board.
 */
export function knownPrompt(
  suite: Suite,
  options: unknown,
  { answers, promptHash }: Pick<SubmittedModel, "answers" | "promptHash">,
): string | null {
  const own = promptHashOf(suite, options);
  return answers === undefined || promptHash === own ? own : null;
}

/** The properties of a run that determine its board. */
export interface Comparable {
  suite: Suite;
  suiteOptions: unknown;
  dataset: Pick<Dataset, "name" | "version" | "samples" | "visibility" | "likelyClusters">;
  plan: Pick<RunPlan, "repeats">;
  judging: RunJudging | null;
  /** The judges of a run with the suite's default options. */
  standardJudging: RunJudging | null;
}

/**
 * The board on which a submission's full runs are comparable: suite, dataset version, scoring version (includes the
 * judges), prompt, repeats, structured-output mode, and the ranking metric if it depends on the target. If `prompt` is
 * null: the board of the standard options, which lists such answers unranked. `maker`: the account whose options
 * created the board, unless they are the standard ones.
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
    likelyClusters: dataset.likelyClusters ?? null,
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
