import type { FieldError } from "#shared/contracts/problem.ts";
import type { Account } from "../keys/account.ts";
import { allowanceOf } from "../keys/allowance.ts";
import type { Platform } from "../platform/platform.ts";
import type { PlannedSubmission } from "../submissions/plan-runs.ts";
import type { Submitter } from "../submissions/resolve-submission.ts";
import type { BoardIdentity } from "./schema.ts";
import type { ModelCount } from "./store.ts";

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
  const slugs = [...new Set(runs.map(({ slug }) => slug))];
  for (const { id } of boards) {
    const detail = await modelsError(platform, owner, id, slugs);
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
  const of = scopes.includes("admin") ? null : owner;
  return (
    (of && (await newBoardError(platform, of, [board]))) ??
    modelsError(platform, of, board.id, [slug])
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

/** At least this many people share a board that the plan limits, so that no single person can fill it. */
const PEOPLE_OF_FULL = 4;

/** Why models may not be added to a board; null if they may. `owner`: null for an admin, whom only the plan limits. */
async function modelsError(
  platform: Platform,
  owner: string | null,
  boardId: string,
  slugs: readonly string[],
): Promise<string | null> {
  const { boards, settings } = platform;
  const { boardModels: ofPlan } = settings.plan;
  const { boardModels: ofOwner } = settings.ownerLimits;
  const isLimited = owner !== null && (ofOwner ?? ofPlan) !== null;
  const owners = isLimited ? (await allowanceOf(platform, owner)).owners : [];
  const part = ofPlan && ofPlan / PEOPLE_OF_FULL;
  const who = `"${owner}"${owners.length > 1 ? " and the accounts that share its quotas have" : " has"}`;
  const limits: [number | null, () => Promise<ModelCount>, (total: number) => string][] = [
    [
      isLimited ? ofOwner : null,
      () => boards.triedModels(boardId, owners, slugs),
      (total) => `${who} tried ${total} of ${ofOwner} allowed models on this board`,
    ],
    [
      isLimited ? part : null,
      () => boards.listedModels(boardId, owners, slugs),
      (total) =>
        `${who} ${total} of the ${part} models on this board that Cloudflare's Free plan leaves to one person`,
    ],
    [
      ofPlan,
      () => boards.listedModels(boardId, null, slugs),
      (total) =>
        `this board has ${total} of the ${ofPlan} models that Cloudflare's Free plan allows`,
    ],
  ];
  for (const [allowed, models, has] of limits) {
    if (allowed === null) continue;
    const { total, known } = await models();
    const added = slugs.length - known;
    if (added > 0 && total + added > allowed) {
      return `${has(total)}, and this submission adds ${added}: use existing slugs, or submit with visibility unlisted`;
    }
  }
  return null;
}
