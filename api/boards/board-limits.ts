import type { FieldError } from "#shared/contracts/problem.ts";
import type { Account } from "../keys/account.ts";
import { allowanceOf } from "../keys/allowance.ts";
import type { Platform } from "../platform/platform.ts";
import type { PlannedSubmission } from "../submissions/plan-runs.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import type { BoardIdentity } from "./schema.ts";

/**
 * Why a submission's runs are not allowed on boards: each account has limits for boards with non-standard options and
 * for models on one board, and the plan has one for all models of a board. Unlisted runs, subsets and sweeps are on no
 * board. Simultaneous submissions may exceed a limit together. That is accepted: the write rate limit bounds the excess,
 * all are counted afterwards, and a check in the insert statement would have to undo boards and answers.
 */
export async function boardErrors(
  platform: Platform,
  { request, boards, runs }: PlannedSubmission,
  submitter: Submitter,
): Promise<FieldError[]> {
  const isListed = request.visibility === "public" && request.options.sweep === undefined;
  if (!isListed) return [];
  const owner = submitter.anyOwner ? null : submitter.owner;
  const made = owner === null ? null : await newBoardError(platform, owner, boards);
  if (made !== null) return [{ pointer: "/options", detail: made }];
  const slugs = new Set(runs.map(({ slug }) => slug));
  for (const { id } of boards) {
    const ofOwner = owner === null ? null : await modelsError(platform, owner, id, slugs);
    const detail = ofOwner ?? (await modelsError(platform, null, id, slugs));
    if (detail !== null) return [{ pointer: "/models", detail }];
  }
  return [];
}

/** Why a stored run of an account can't be listed on a board; null if it can. */
export async function boardErrorOf(
  platform: Platform,
  { owner, scopes }: Pick<Account, "owner" | "scopes">,
  board: BoardIdentity,
  slug: string,
): Promise<string | null> {
  const slugs = new Set([slug]);
  const of = scopes.includes("admin") ? null : owner;
  return (
    (of && (await newBoardError(platform, of, [board]))) ??
    (of && (await modelsError(platform, of, board.id, slugs))) ??
    modelsError(platform, null, board.id, slugs)
  );
}

/** Why an account may not create another board; null if it may. */
export async function newBoardError(
  platform: Platform,
  owner: string,
  boards: readonly BoardIdentity[],
): Promise<string | null> {
  const { owners, limits } = await allowanceOf(platform, owner);
  const { boards: allowed } = limits;
  const others = boards.filter(({ isDefault }) => !isDefault);
  if (allowed === null || others.length === 0) return null;
  const known = await Promise.all(others.map(({ id }) => platform.boards.get(id)));
  const wanted = known.filter((board) => board === null).length;
  const used = wanted === 0 ? 0 : await platform.boards.countMadeBy(owners);
  if (wanted === 0 || used + wanted <= allowed) return null;
  return `these options need a board of their own, and "${owner}" already has ${used} of ${allowed} such boards: use the suite's standard options or those of an existing board, or submit with visibility unlisted`;
}

/** So many accounts at least fill a board where the plan has a limit: none takes it from the others alone. */
const ACCOUNTS_OF_FULL = 4;

/** `owner`: null for the models of all accounts. */
async function modelsError(
  platform: Platform,
  owner: string | null,
  boardId: string,
  slugs: ReadonlySet<string>,
): Promise<string | null> {
  const { plan, ownerLimits } = platform.settings;
  const ofPlan = plan.boardModels ?? Number.POSITIVE_INFINITY;
  const ofOwner = Math.min(ownerLimits.boardModels ?? ofPlan, ofPlan / ACCOUNTS_OF_FULL);
  const allowed = owner === null ? ofPlan : ofOwner;
  if (allowed === Number.POSITIVE_INFINITY) return null;
  const { boards } = platform;
  const tried = new Set(
    owner === null
      ? await boards.listedModels(boardId, allowed)
      : await boards.triedModels(boardId, owner, allowed),
  );
  const added = [...slugs].filter((slug) => !tried.has(slug)).length;
  if (added === 0 || tried.size + added <= allowed) return null;
  const has =
    owner === null
      ? `this board has ${tried.size} of the ${allowed} models that Cloudflare's Free plan allows`
      : `"${owner}" has ${tried.size} of ${allowed} allowed models on this board`;
  return `${has}, and this submission adds ${added}: use existing slugs, or submit with visibility unlisted`;
}
