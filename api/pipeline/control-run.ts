import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Account } from "../security/account.ts";
import { laneMessage } from "./messages.ts";
import type { Ports, RunRecord } from "./ports.ts";

/** What can be done to a run that has not ended. */
export const runActions = ["cancel", "pause", "resume"] as const;
export type RunAction = (typeof runActions)[number];

export type ControlProblem = { type: "not-found" | "forbidden" | "conflict"; detail: string };

/**
 * Cancels, pauses or resumes a run: one update, which lanes notice with their next commit. What has
 * been answered by then stays.
 */
export async function controlRun(
  ports: Ports,
  account: Account,
  runId: string,
  action: RunAction,
): Promise<Result<RunRecord, ControlProblem>> {
  const owned = await ownedRun(ports, account, runId);
  if (!owned.ok) return owned;
  if (!(await changes[action](ports, owned.value))) {
    const detail = `a run that is ${owned.value.status} can't be ${pastOf[action]}`;
    return err({ type: "conflict", detail });
  }
  return ok((await ports.runs.get(runId)) ?? owned.value);
}

/** A run of the account's own; admins own all. */
async function ownedRun(
  ports: Ports,
  account: Account,
  runId: string,
): Promise<Result<RunRecord, ControlProblem>> {
  const run = await ports.runs.get(runId);
  if (run === null) return err({ type: "not-found", detail: `there is no run "${runId}"` });
  if (run.owner !== account.owner && !account.scopes.includes("admin")) {
    return err({ type: "forbidden", detail: "this run belongs to another account" });
  }
  return ok(run);
}

const pastOf = { cancel: "cancelled", pause: "paused", resume: "resumed" } as const;

const changes: Record<RunAction, (ports: Ports, run: RunRecord) => Promise<boolean>> = {
  cancel: (ports, run) => ports.runs.cancel(run.id, ports.now()),
  pause: (ports, run) => ports.runs.pause(run.id, "paused by its owner"),
  async resume(ports, run) {
    if (!(await ports.runs.resume(run.id))) return false;
    await ports.queues.lanes(
      Array.from({ length: run.lanes }, (_, lane) => laneMessage(run.id, lane)),
    );
    return true;
  },
};
