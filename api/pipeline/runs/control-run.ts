import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { ResumeRequest } from "#shared/contracts/run-requests.ts";
import type { Account } from "../../security/account.ts";
import { laneMessage } from "../messages.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { ownedRun } from "./readable-run.ts";
import { costBar } from "./run-cost.ts";

/** What can be done to a run that has not ended. */
export type RunAction = "cancel" | "pause" | "resume";

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
  request: ResumeRequest = {},
): Promise<Result<RunRecord, ControlProblem>> {
  const owned = await ownedRun(ports, account, runId);
  if (!owned.ok) return owned;
  const limit = limitOf(owned.value, request);
  const isPaused = action === "resume" && owned.value.status === "paused";
  const bar = isPaused ? costBar(owned.value, limit.maxCostUsd) : null;
  if (bar !== null) return err({ type: "conflict", detail: bar });
  if (!(await changes[action](ports, owned.value, limit))) {
    const detail = `a run that is ${owned.value.status} can't be ${pastOf[action]}`;
    return err({ type: "conflict", detail });
  }
  return ok((await ports.runs.get(runId)) ?? owned.value);
}

/** The limit of the spending that a run goes on with. */
const limitOf = (run: RunRecord, { maxCostUsd }: ResumeRequest) => ({
  maxCostUsd: maxCostUsd === undefined ? run.maxCostUsd : maxCostUsd,
});

const pastOf = { cancel: "cancelled", pause: "paused", resume: "resumed" } as const;

type Change = (ports: Ports, run: RunRecord, limit: ReturnType<typeof limitOf>) => Promise<boolean>;

const changes: Record<RunAction, Change> = {
  cancel: (ports, run) => ports.runs.cancel(run.id, ports.now()),
  pause: (ports, run) => ports.runs.pause(run.id, "paused by its owner"),
  async resume(ports, run, limit) {
    if (!(await ports.runs.resume(run.id, limit))) return false;
    await ports.queues.lanes(
      Array.from({ length: run.lanes }, (_, lane) => laneMessage(run.id, lane)),
    );
    return true;
  },
};
