import type { MetricLimits } from "../../../contracts/metric.ts";

/** How far a measure gets, best first; `fails` is below the minimum. */
export const tiers = ["excellence", "target", "minimum", "fails"] as const;
export type Tier = (typeof tiers)[number];

/** A measure's three limits. */
export type Limits = Omit<MetricLimits, "metric">;

/**
 * The highest tier whose limit `value` meets; null for a value that was not measured.
 * Source: docs/spec/extraction.md, section 6.
 * @example tierOf({ better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 }, 0.8) // "target"
 */
export function tierOf(limits: Limits, value: number | null): Tier | null {
  if (value === null) return null;
  const meets = (limit: number) => (limits.better === "higher" ? value >= limit : value <= limit);
  return tiers.find((tier) => tier === "fails" || meets(limits[tier])) ?? "fails";
}

/**
 * The lowest of some tiers; null where there is none. What was not measured is passed over.
 * @example lowestTier(["excellence", null, "minimum"]) // "minimum"
 */
export const lowestTier = (its: readonly (Tier | null)[]): Tier | null =>
  tiers.findLast((tier) => its.includes(tier)) ?? null;
