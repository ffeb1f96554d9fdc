import type { SampleUsage, Usage } from "#shared/contracts/keys/usage.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SpendLimit } from "../operator/spend-store.ts";
import type { Platform } from "../platform/platform.ts";
import { roundUsd } from "../runs/run-cost.ts";
import type { Account } from "./account.ts";
import { allowanceOf } from "./allowance.ts";
import type { Charge } from "./quota-store.ts";

const DAY_MS = 86_400_000;

/** Means "no limit" in numeric columns. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** The daily quotas that a caller's submissions are charged to. */
export interface Quota {
  key: string;
  allowedSamples: number | null;
  /** Quota of judge costs; none for admins. */
  judges?: Omit<SpendLimit, "day" | "allowedUsd"> & { allowedUsd: number | null };
}

/**
 * The quotas of an account; null without a key. A person's sessions, keys, and organisations share one quota, and a
 * key's own quota can only be lower. Otherwise more keys or organisations would mean more samples.
 */
export async function quotaOf(platform: Platform, account: Account): Promise<Quota | null> {
  const { owner, person, keyId, dailySamples, scopes } = account;
  if (person === undefined && keyId === null) return null;
  const { payer, owners, limits } = await allowanceOf(platform, owner);
  const usual = limits.dailySamples;
  const judges = {
    payer,
    owners,
    allowedUsd: scopes.includes("admin") ? null : limits.dailyJudgeUsd,
  };
  if (person === undefined) {
    return { key: keyId ?? "", allowedSamples: dailySamples ?? usual, judges };
  }
  const least = Math.min(dailySamples ?? ENDLESS, usual ?? ENDLESS);
  return { key: `account:${payer}`, allowedSamples: least === ENDLESS ? null : least, judges };
}

/** The day of a time, `YYYY-MM-DD` in UTC. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** The midnight (UTC) that ends the day of `now`, Unix ms. */
export const endOfDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS;

/** The charge for a number of samples. Usage of unlimited keys is counted, too. */
export function chargeOf(quota: Quota | null, samples: number, now: number): Charge | null {
  if (quota === null) return null;
  return { key: quota.key, day: dayOf(now), samples, allowed: quota.allowedSamples ?? ENDLESS };
}

/**
 * The charge, or a refusal if it exceeds the quota. Two concurrent requests may both pass: the insert of their runs
 * decides.
 */
export async function fittingCharge(
  platform: Platform,
  quota: Quota | null,
  samples: number,
): Promise<Result<Charge | null, OverQuota>> {
  const charge = chargeOf(quota, samples, platform.now());
  if (charge === null) return ok(null);
  const over = await overQuota(platform, charge);
  return over.used + samples > charge.allowed ? err(over) : ok(charge);
}

/** The limit of a day's cost of judges; null: none. */
export function spendLimitOf(quota: Quota | null, now: number): SpendLimit | null {
  const { judges } = quota ?? {};
  if (judges === undefined || judges.allowedUsd === null) return null;
  const { payer, owners, allowedUsd } = judges;
  return { payer, owners, day: dayOf(now), allowedUsd };
}

/** Why judges with this expected cost are refused; null if the quota allows them, or they cost nothing. */
export async function judgesRefusal(
  platform: Platform,
  quota: Quota | null,
  usd: number,
): Promise<OverQuota | null> {
  const limit = spendLimitOf(quota, platform.now());
  if (limit === null || usd === 0) return null;
  const { payer: key, day, owners, allowedUsd: allowed } = limit;
  const used = await platform.spend.ofDay(day, owners);
  if (used + usd <= allowed) return null;
  return { charge: { key, day, samples: usd, allowed }, used, unit: "USD" };
}

/** Today's usage and remainder of a quota. */
export async function sampleUsageOf(platform: Platform, quota: Quota | null): Promise<SampleUsage> {
  const now = platform.now();
  const day = dayOf(now);
  const used = quota === null ? null : await platform.usage.used(quota.key, day);
  const allowed = quota?.allowedSamples ?? null;
  const { judges } = quota ?? {};
  return {
    day,
    usedSamples: used,
    allowedSamples: allowed,
    remainingSamples: allowed === null ? null : Math.max(0, allowed - (used ?? 0)),
    usedJudgeUsd: judges ? roundUsd(await platform.spend.ofDay(day, judges.owners)) : null,
    allowedJudgeUsd: judges?.allowedUsd ?? null,
    resetsAt: new Date(endOfDay(now)).toISOString(),
  };
}

/** Today's usage of a key, and its account's usage of all other limits. */
export async function usageOf(platform: Platform, account: Account): Promise<Usage> {
  const { owner, reads = [] } = account;
  const { payer, owners, limits } = await allowanceOf(platform, owner);
  // Members of an organisation must not learn of its payer's other accounts.
  const isKnown = (one: string) => owner === payer || one === payer || reads.includes(one);
  const [samples, owned, runBytes, boards] = await Promise.all([
    quotaOf(platform, account).then((quota) => sampleUsageOf(platform, quota)),
    platform.datasets.owned(owners),
    platform.runs.storedBytes(owners),
    platform.boards.countMadeBy(owners),
  ]);
  const limit = (used: number, most: number | null) => ({
    used,
    allowed: account.scopes.includes("admin") ? null : most,
  });
  return {
    ...samples,
    owner,
    datasets: limit(owned.names, limits.datasets),
    datasetVersions: limit(owned.versions, limits.datasetVersions),
    datasetBytes: limit(owned.bytes, limits.datasetBytes),
    runBytes: limit(runBytes, limits.runBytes),
    boards: limit(boards, limits.boards),
    sharedWith: owners.filter((one) => one !== owner && isKnown(one)),
  };
}

/** Why an account can't store the answers of another run; null if it can. */
export async function runBytesRefusal(platform: Platform, owner: string): Promise<string | null> {
  const { owners, limits } = await allowanceOf(platform, owner);
  if (limits.runBytes === null) return null;
  const used = await platform.runs.storedBytes(owners);
  if (used < limits.runBytes) return null;
  return `answers and reports of the runs of "${owner}" take ${used} of ${limits.runBytes} bytes: delete runs that are not needed (DELETE /v1/runs/{id}), or ask the operator for a higher limit; GET /v1/usage lists all limits`;
}

/** A refused charge, and the usage before it. */
export interface OverQuota {
  charge: Charge;
  used: number;
  /** Unit of both numbers; default: samples. */
  unit?: "USD";
}

/** A charge that the store refused, with the usage at the time. */
export async function overQuota(platform: Platform, charge: Charge): Promise<OverQuota> {
  return { charge, used: await platform.usage.used(charge.key, charge.day) };
}

/** States what was requested, what is allowed and what to do. */
export function overQuotaDetail({ charge, used, unit }: OverQuota, asker: string, advice: string) {
  const { samples, allowed } = charge;
  const left = Math.max(0, allowed - used);
  if (unit === "USD") {
    const usd = (amount: number) => `${amount.toFixed(2)} USD`;
    return `${asker} needs about ${usd(samples)} of judges, but of the ${usd(allowed)} that "${charge.key}" may use a day ${usd(used)} are used and ${usd(left)} are left until midnight UTC: ${advice}`;
  }
  return `${asker} needs ${samples} samples (samples × repeats × models), but of this key's daily quota of ${allowed} samples ${used} are used and ${left} are left until midnight UTC: ${advice}`;
}
