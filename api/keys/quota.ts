import type { SampleUsage, Usage } from "#shared/contracts/keys/usage.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Platform } from "../platform/platform.ts";
import type { Account } from "./account.ts";
import type { Charge } from "./quota-store.ts";

const DAY_MS = 86_400_000;

/** Means "no limit" in numeric columns. */
const ENDLESS = Number.MAX_SAFE_INTEGER;

/** A key's daily sample quota; null: unlimited. */
export interface Quota {
  key: string;
  allowedSamples: number | null;
}

/**
 * The quota that an account's samples are charged to; null without a key. People share one for their sessions, all keys
 * that they made, whose own quotas can only be lower, and the organisations that they created: otherwise more keys or
 * organisations would be more samples.
 */
export async function quotaOf(platform: Platform, account: Account): Promise<Quota | null> {
  const { owner, person, keyId, dailySamples } = account;
  const usual = platform.settings.dailySampleQuota;
  if (person !== undefined) {
    const payer = (await platform.accounts.byOwner(owner))?.createdBy ?? owner;
    const least = Math.min(dailySamples ?? ENDLESS, usual ?? ENDLESS);
    return { key: `account:${payer}`, allowedSamples: least === ENDLESS ? null : least };
  }
  return keyId === null ? null : { key: keyId, allowedSamples: dailySamples ?? usual };
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

/** The same, refused where it does not fit. Two requests may both fit: the insert of their runs decides. */
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

/** Today's usage and remainder of a quota. */
export async function sampleUsageOf(platform: Platform, quota: Quota | null): Promise<SampleUsage> {
  const now = platform.now();
  const used = quota === null ? null : await platform.usage.used(quota.key, dayOf(now));
  const allowed = quota?.allowedSamples ?? null;
  return {
    day: dayOf(now),
    usedSamples: used,
    allowedSamples: allowed,
    remainingSamples: allowed === null ? null : Math.max(0, allowed - (used ?? 0)),
    resetsAt: new Date(endOfDay(now)).toISOString(),
  };
}

/** Today's usage of a key, and its account's usage of all other limits. */
export async function usageOf(platform: Platform, account: Account): Promise<Usage> {
  const { owner } = account;
  const { ownerLimits } = platform.settings;
  const [samples, owned, boards] = await Promise.all([
    quotaOf(platform, account).then((quota) => sampleUsageOf(platform, quota)),
    platform.datasets.owned(owner),
    platform.boards.countMadeBy(owner),
  ]);
  const limit = (used: number, most: number | null) => ({
    used,
    allowed: account.scopes.includes("admin") ? null : most,
  });
  return {
    ...samples,
    owner,
    datasets: limit(owned.names, ownerLimits.datasets.names),
    datasetVersions: limit(owned.versions, ownerLimits.datasets.versions),
    datasetBytes: limit(owned.bytes, ownerLimits.datasets.bytes),
    boards: limit(boards, ownerLimits.boards),
  };
}

/** A refused charge, and the usage before it. */
export interface OverQuota {
  charge: Charge;
  used: number;
}

/** A charge that the store refused, with the current usage. */
export async function overQuota(platform: Platform, charge: Charge): Promise<OverQuota> {
  return { charge, used: await platform.usage.used(charge.key, charge.day) };
}

/** States what was requested, what is allowed and what to do. */
export function overQuotaDetail({ charge, used }: OverQuota, asker: string, advice: string) {
  const { samples, allowed } = charge;
  const left = Math.max(0, allowed - used);
  return `${asker} needs ${samples} samples (samples × repeats × models), but of this key's daily quota of ${allowed} samples ${used} are used and ${left} are left until midnight UTC: ${advice}`;
}
