import type { FieldError } from "#shared/contracts/problem.ts";
import type { Platform } from "../platform/platform.ts";
import type { PlannedSubmission } from "../submissions/plan-runs.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import type { BoardIdentity } from "./schema.ts";

/**
 * What keeps a submission from boards: each account may lead to so many boards of options other than the standard
 * ones, and have so many models on one board. Unlisted runs, subsets and sweeps are on no board. Submissions that
 * arrive at the same moment may pass together. That is accepted: the rate limit of writes bounds by how much, all of
 * them are counted afterwards, and a check in the statement that stores would have to undo boards and answers.
 */
export async function boardErrors(
  platform: Platform,
  { request, boards, runs }: PlannedSubmission,
  submitter: Submitter,
): Promise<FieldError[]> {
  const isListed = request.visibility === "public" && request.options.sweep === undefined;
  if (submitter.anyOwner || !isListed) return [];
  const made = await newBoardError(platform, submitter.owner, boards);
  if (made !== null) return [{ pointer: "/options", detail: made }];
  const slugs = new Set(runs.map(({ slug }) => slug));
  for (const { id } of boards) {
    const detail = await modelsError(platform, submitter.owner, id, slugs);
    if (detail !== null) return [{ pointer: "/models", detail }];
  }
  return [];
}

/** Why an account leads to no further board; null where it does. */
export async function newBoardError(
  platform: Platform,
  owner: string,
  boards: readonly BoardIdentity[],
): Promise<string | null> {
  const allowed = platform.settings.ownerLimits.boards;
  const others = boards.filter(({ isDefault }) => !isDefault);
  if (allowed === null || others.length === 0) return null;
  const known = await Promise.all(others.map(({ id }) => platform.boards.get(id)));
  const wanted = known.filter((board) => board === null).length;
  const used = wanted === 0 ? 0 : await platform.boards.countMadeBy(owner);
  if (wanted === 0 || used + wanted <= allowed) return null;
  return `these options need a board of their own, and "${owner}" already has ${used} of ${allowed} such boards: use the suite's standard options or those of an existing board, or submit with visibility unlisted`;
}

async function modelsError(
  platform: Platform,
  owner: string,
  boardId: string,
  slugs: ReadonlySet<string>,
): Promise<string | null> {
  const allowed = platform.settings.ownerLimits.boardModels;
  if (allowed === null) return null;
  const tried = new Set(await platform.boards.triedModels(boardId, owner, allowed));
  const added = [...slugs].filter((slug) => !tried.has(slug)).length;
  if (added === 0 || tried.size + added <= allowed) return null;
  return `"${owner}" has ${tried.size} of ${allowed} allowed models on this board, and this submission adds ${added}: use existing slugs, or submit with visibility unlisted`;
}
