import { err, ok, type Result } from "#shared/contracts/result.ts";
import { boardMessage } from "../platform/messages.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";
import { ownedRun } from "./readable-run.ts";
import type { WithdrawnRun } from "./run-ports.ts";
import type { RunRefusal } from "./run-refusal.ts";

/**
 * Deletes a run for its readers at once; the sweep removes what it leaves. One that is still at work
 * is cancelled before.
 */
export async function deleteRun(
  ports: Ports,
  account: Account,
  runId: string,
): Promise<Result<null, RunRefusal>> {
  const owned = await ownedRun(ports, account, runId);
  if (!owned.ok) return owned;
  await ports.runs.cancel(runId, ports.now());
  const removed = await ports.runs.remove(runId, ports.now());
  if (removed.length === 0) return notFound(runId);
  await refreshBoards(ports, removed);
  return ok(null);
}

/**
 * Hides a run from all but its owner and admins, or shows it again where `reason` is null; with it
 * those that scored its answers anew, since they show the same answers.
 */
export async function hideRun(
  ports: Ports,
  runId: string,
  reason: string | null,
): Promise<Result<RunRecord, RunRefusal>> {
  const run = await ports.runs.get(runId);
  if (run === null || run.deletedAt !== null) return notFound(runId);
  const detail = reason === null ? await unhideBar(ports, run) : null;
  if (detail !== null) return err({ type: "conflict", detail });
  const changed = await ports.runs.hide(runId, reason, ports.now());
  if (changed.length === 0) return notFound(runId);
  await refreshBoards(ports, changed);
  return ok({ ...run, hiddenReason: reason });
}

/** Why a run can't be shown again; null where it can. */
async function unhideBar(ports: Ports, run: RunRecord): Promise<string | null> {
  if (run.hiddenReason === null) return `run "${run.id}" is not hidden`;
  let hidden: RunRecord | null = null;
  for (let id = run.parentId; id !== null; ) {
    const above: RunRecord | null = await ports.runs.get(id);
    if (above?.deletedAt === null && above.hiddenReason !== null) hidden = above;
    id = above?.parentId ?? null;
  }
  if (hidden === null) return null;
  return `run "${run.id}" shows the answers of run "${hidden.id}", which is hidden (${hidden.hiddenReason}): show that one again`;
}

/** The store has marked board and publication as outdated: where the message is lost, the sweep sends one. */
async function refreshBoards(ports: Ports, withdrawn: readonly WithdrawnRun[]): Promise<void> {
  const listed = withdrawn.filter(({ visibility }) => visibility === "public");
  for (const boardId of new Set(listed.map((one) => one.boardId))) {
    await ports.queues.finish(boardMessage(boardId));
  }
}

const notFound = (runId: string) =>
  err({ type: "not-found" as const, detail: `there is no run "${runId}"` });
