import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Ports } from "../platform/ports.ts";
import type { Account } from "../security/account.ts";
import type { ScheduleRecord } from "./schedule-ports.ts";

/** Why nothing was done to a schedule. */
export interface ScheduleRefusal {
  type: "not-found" | "conflict";
  detail: string;
}

/** A schedule that the account may read and change: its own; admins own all. Others learn nothing of it. */
export async function ownSchedule(
  ports: Ports,
  account: Account,
  id: string,
): Promise<Result<ScheduleRecord, ScheduleRefusal>> {
  const schedule = await ports.schedules.get(id);
  const isOwn = schedule?.owner === account.owner || account.scopes.includes("admin");
  if (schedule !== null && isOwn) return ok(schedule);
  return err({ type: "not-found", detail: `there is no schedule "${id}"` });
}
