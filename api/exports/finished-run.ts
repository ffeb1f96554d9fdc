import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { wholeRun } from "../runs/whole-run.ts";
import type { Account } from "../security/account.ts";

type Unfinished = { type: "not-ready" | "conflict"; detail: string };

/** A run with what was summed up of it, which there is of a finished one alone. */
export async function finishedRun(
  ports: Ports,
  run: RunRecord,
  account: Account | null,
): Promise<Result<Run, Unfinished>> {
  if (run.status === "finished") return ok(await wholeRun(ports, run, account));
  const isOver = run.status === "cancelled" || run.status === "failed";
  const detail = `run "${run.id}" is ${run.status}; its figures are worked out when a run finishes`;
  return err({ type: isOver ? "conflict" : "not-ready", detail });
}
