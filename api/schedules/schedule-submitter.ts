import { err, ok, type Result } from "#shared/contracts/result.ts";
import { quotaOf } from "../keys/quota.ts";
import type { Ports } from "../platform/ports.ts";
import type { Submitter } from "../submissions/check-models.ts";
import type { ScheduleRecord } from "./schedule-ports.ts";

/** The key that made a schedule stands for it: a quota is its, and revoked or expired it submits nothing. */
export async function scheduleSubmitter(
  ports: Ports,
  { owner, anyOwner, keyId }: ScheduleRecord,
): Promise<Result<Submitter, string>> {
  if (keyId === null) return ok({ owner, anyOwner, quota: null });
  const key = await ports.apiKeys.byId(keyId);
  const isGone = key === null || key.revokedAt !== null;
  if (isGone || (key.expiresAt !== null && key.expiresAt <= ports.now())) {
    const how = isGone ? "was revoked" : "has expired";
    return err(`the API key "${keyId}" that made it ${how}: make the schedule anew`);
  }
  const account = { owner, scopes: key.scopes, keyId, dailySamples: key.dailySamples };
  const isAdmin = key.scopes.includes("admin");
  return ok({ owner, anyOwner: anyOwner && isAdmin, quota: quotaOf(account, ports.settings) });
}
