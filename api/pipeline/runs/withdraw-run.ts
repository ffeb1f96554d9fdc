import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Account } from "../../security/account.ts";
import { boardMessage } from "../messages.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { ownedRun } from "./readable-run.ts";
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
  if (!(await ports.runs.remove(runId, ports.now()))) return notFound(runId);
  await refreshBoard(ports, owned.value);
  return ok(null);
}

/** Hides a run from all but its owner and admins, or shows it again where `reason` is null. */
export async function hideRun(
  ports: Ports,
  runId: string,
  reason: string | null,
): Promise<Result<RunRecord, RunRefusal>> {
  const run = await ports.runs.get(runId);
  if (run === null || run.deletedAt !== null) return notFound(runId);
  if (reason === null && run.hiddenReason === null) {
    return err({ type: "conflict", detail: `run "${runId}" is not hidden` });
  }
  if (!(await ports.runs.hide(runId, reason))) return notFound(runId);
  await refreshBoard(ports, run);
  return ok({ ...run, hiddenReason: reason });
}

/** The store has marked board and publication as outdated: where the message is lost, the sweep sends one. */
async function refreshBoard(ports: Ports, run: RunRecord): Promise<void> {
  if (run.visibility === "public") await ports.queues.finish(boardMessage(run.boardId));
}

const notFound = (runId: string) =>
  err({ type: "not-found" as const, detail: `there is no run "${runId}"` });
