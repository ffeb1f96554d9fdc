import { optionsFor } from "#shared/contracts/boards/ranking.ts";
import type { SubmittedModel } from "#shared/contracts/submissions/submission.ts";
import { modelSlug } from "#shared/contracts/text/slug.ts";
import { boardIdentity, knownPrompt } from "../boards/board-identity.ts";
import type { BoardIdentity } from "../boards/schema.ts";
import type { ResolvedSubmission, RunVariant, Submitter } from "./resolve-submission.ts";

/** One run of a submission: a model with one variant of the options. */
export interface PlannedRun {
  model: SubmittedModel;
  place: number;
  slug: string;
  variant: RunVariant;
  suiteOptions: unknown;
  /** Hash of the prompt that is known to have produced the answers; null if another one did, or it is unknown. */
  promptHash: string | null;
  /** The board of the run's configuration; null: none. */
  board: BoardIdentity | null;
}

/** A submission with one run for each model and variant. */
export interface PlannedSubmission extends ResolvedSubmission {
  runs: readonly PlannedRun[];
  /** Boards of the runs, without the variants of a sweep. */
  boards: readonly BoardIdentity[];
}

export function planRuns(submission: ResolvedSubmission, submitter: Submitter): PlannedSubmission {
  const runs = submission.request.models.flatMap((model, place) =>
    submission.variants.map((variant) =>
      plannedRun(submission, submitter, { model, place, variant }),
    ),
  );
  const boards = runs.flatMap(({ board, variant }) => (variant.values === null && board) || []);
  return { ...submission, runs, boards: [...new Map(boards.map((one) => [one.id, one])).values()] };
}

function plannedRun(
  submission: ResolvedSubmission,
  { owner, anyOwner }: Submitter,
  { model, place, variant }: Pick<PlannedRun, "model" | "place" | "variant">,
): PlannedRun {
  const { suite } = submission;
  // The ranking metric may depend on the kind of target.
  const suiteOptions = optionsFor(suite, variant.suiteOptions, {
    isHybrid: model.hybrid !== undefined,
    sources: (model.answers ?? []).flatMap(({ error, source }) => (error ? [] : [source ?? null])),
  });
  const promptHash = knownPrompt(suite, suiteOptions, model);
  const board = isComparable(submission)
    ? boardIdentity({ ...submission, suiteOptions }, promptHash, anyOwner ? null : owner)
    : null;
  return { model, place, slug: modelSlug(model, owner), variant, suiteOptions, promptHash, board };
}

/** Runs on a subset, or on an unlisted or corrected dataset, are on no board. */
const isComparable = ({ dataset, plan, correctedBy }: ResolvedSubmission): boolean =>
  plan.heads.length === dataset.samples &&
  correctedBy === null &&
  dataset.visibility !== "unlisted";
