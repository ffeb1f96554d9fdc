import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { ResumeRequest } from "#shared/contracts/submissions/run-requests.ts";
import { cancelRun } from "../batches/cancel-run.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import type { Account } from "../keys/account.ts";
import { quotaOf, spendLimitOf } from "../keys/quota.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { boardMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import { announceWaiting } from "../webhooks/announce.ts";
import { ownedRun, type RunRefusal } from "./access.ts";
import { costBar } from "./run-cost.ts";
import type { RunRecord } from "./schema.ts";
import type { WithdrawnRun } from "./visibility-store.ts";

/** Actions on a run that has not ended. */
export type RunAction = "cancel" | "pause" | "resume";

export type ControlProblem = { type: "not-found" | "forbidden" | "conflict"; detail: string };

/**
 * Cancels, pauses or resumes a run: one update, which lanes notice at their next commit. Answers received by then are
 * kept. After a lost reply the update is repeated and finds nothing to change, so the result depends only on the run's
 * status before and after.
 */
export async function controlRun(
  platform: Platform,
  account: Account,
  runId: string,
  action: RunAction,
  request: ResumeRequest = {},
): Promise<Result<RunRecord, ControlProblem>> {
  const owned = await ownedRun(platform, account, runId);
  if (!owned.ok) return owned;
  const limit = limitOf(owned.value, request);
  const bar = barOf(owned.value, action, limit);
  if (bar !== null) return err({ type: "conflict", detail: bar });
  const overQuota = action === "resume" ? await quotaBar(platform, account, owned.value) : null;
  if (overQuota !== null) return err({ type: "conflict", detail: overQuota });
  const { apply, isDone } = changes[action];
  const changed = await apply(platform, owned.value, limit);
  const run = (await platform.runs.get(runId)) ?? owned.value;
  if (!changed && !isDone(run, limit)) {
    return err({ type: "conflict", detail: barOf(run, action, limit) ?? changedDetail(runId) });
  }
  await startLanes(platform, run.phase);
  if (action === "cancel") await announceWaiting(platform);
  return ok(run);
}

/**
 * Why the account's quota of judge costs does not let a run continue; null if it does, or there is no quota, as for
 * admins.
 */
async function quotaBar(platform: Platform, account: Account, { id, judgeSpend }: RunRecord) {
  if (judgeSpend?.isLimited !== 1) return null;
  const limit = spendLimitOf(await quotaOf(platform, account), platform.now());
  if (await platform.spend.admit(id, limit)) return null;
  const own = judgeSpend.judges.reduce((sum, { usd }) => sum + usd, 0);
  const advice =
    own < (limit?.allowedUsd ?? 0)
      ? "resume it after midnight UTC, or ask the operator for a higher limit"
      : "it alone has used a day's quota, so ask the operator for a higher limit, or cancel it";
  return `judges cost more than the ${limit?.allowedUsd} USD that "${limit?.payer}" may use a day, this run's so far among them: ${advice}`;
}

type Limit = Pick<RunRecord, "maxCostUsd">;

/** The cost limit with which a run continues. */
const limitOf = (run: RunRecord, { maxCostUsd }: ResumeRequest): Limit => ({
  maxCostUsd: maxCostUsd === undefined ? run.maxCostUsd : maxCostUsd,
});

const pausedByOwner = "paused by its owner";

/** Each action with its change, the allowed statuses, and a check that it was applied. */
const changes: Record<
  RunAction,
  {
    from: readonly RunRecord["status"][];
    past: string;
    apply: (platform: Platform, run: RunRecord, limit: Limit) => Promise<boolean>;
    isDone: (run: RunRecord, limit: Limit) => boolean;
  }
> = {
  cancel: {
    from: ["queued", "running", "paused"],
    past: "cancelled",
    apply: cancelRun,
    isDone: ({ status }) => status === "cancelled",
  },
  pause: {
    from: ["queued", "running"],
    past: "paused",
    apply: (platform, { id }) => platform.runs.pause(id, pausedByOwner),
    isDone: ({ status, statusReason }) => status === "paused" && statusReason === pausedByOwner,
  },
  resume: {
    from: ["paused"],
    past: "resumed",
    apply: (platform, { id }, limit) => platform.runs.resume(id, limit),
    isDone: (run, { maxCostUsd }) => run.status === "running" && run.maxCostUsd === maxCostUsd,
  },
};

/** Why an action is refused for this run; null if it is allowed. */
function barOf(run: RunRecord, action: RunAction, { maxCostUsd }: Limit): string | null {
  const { from, past } = changes[action];
  if (!from.includes(run.status)) return `a run that is ${run.status} can't be ${past}`;
  if (action === "resume") return costBar(run, maxCostUsd);
  if (action === "pause" && run.republished) {
    return `run "${run.id}" scores stored answers for a board that waits for it, and calls no model: cancel or delete it`;
  }
  if (action === "cancel" || run.done < run.total) return null;
  return `run "${run.id}" has all of its answers and is being summarized, so there is nothing left to pause: read it again in a few seconds`;
}

const changedDetail = (runId: string): string =>
  `run "${runId}" was changed by another request: read it again`;

/** Deletes a run for readers at once; the cron job deletes its data. A running one is cancelled first. */
export async function deleteRun(
  platform: Platform,
  account: Account,
  runId: string,
  noted: (run: RunRecord) => AuditRecord | undefined = () => undefined,
): Promise<Result<RunRecord, RunRefusal>> {
  const owned = await ownedRun(platform, account, runId);
  if (!owned.ok) return owned;
  await cancelRun(platform, owned.value);
  const removed = await platform.runs.remove(runId, platform.now(), noted(owned.value));
  if (removed.length === 0) return notFound(runId);
  await refreshBoards(platform, removed.filter(isPublic));
  return ok(owned.value);
}

/**
 * Hides a run from all but its owner and admins, or shows it again if `reason` is null. Includes rescored copies,
 * because they show the same answers.
 */
export async function hideRun(
  platform: Platform,
  runId: string,
  reason: string | null,
  entry?: AuditRecord,
): Promise<Result<RunRecord, RunRefusal>> {
  const run = await platform.runs.get(runId);
  if (run === null || run.deletedAt !== null) return notFound(runId);
  const detail = reason === null ? await unhideBar(platform, run) : null;
  if (detail !== null) return err({ type: "conflict", detail });
  const changed = await platform.runs.hide(runId, reason, platform.now(), entry);
  if (changed.length === 0) return notFound(runId);
  await refreshBoards(platform, changed.filter(isPublic));
  return ok({ ...run, hiddenReason: reason });
}

/** Why a run can't be shown again; null if it can. */
async function unhideBar(platform: Platform, run: RunRecord): Promise<string | null> {
  if (run.hiddenReason === null) return `run "${run.id}" is not hidden`;
  let hidden: RunRecord | null = null;
  for (let id = run.parentId; id !== null; ) {
    const above: RunRecord | null = await platform.runs.get(id);
    if (above?.deletedAt === null && above.hiddenReason !== null) hidden = above;
    id = above?.parentId ?? null;
  }
  if (hidden === null) return null;
  return `run "${run.id}" shows the answers of run "${hidden.id}", which is hidden (${hidden.hiddenReason}): show that one again`;
}

const isPublic = ({ visibility }: WithdrawnRun): boolean => visibility === "public";

/**
 * Sends messages for outdated boards and publication. The store has marked them, so the cron job sends a lost message
 * again.
 */
export async function refreshBoards(
  platform: Platform,
  changed: readonly WithdrawnRun[],
): Promise<void> {
  for (const boardId of new Set(changed.map((one) => one.boardId))) {
    await hint(platform.queues.finish(boardMessage(boardId)));
  }
}

const notFound = (runId: string) =>
  err({ type: "not-found" as const, detail: `there is no run "${runId}"` });
