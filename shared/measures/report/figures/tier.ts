import type { MetricLimits } from "../../../contracts/metric.ts";

/** Tiers of a measure, best first; `fails` is below the minimum. */
export const tiers = ["excellence", "target", "minimum", "fails"] as const;
export type Tier = (typeof tiers)[number];

/** Names of the tiers on pages and in texts: the one scale of grades. */
export const levelNames: Readonly<Record<Tier, string>> = {
  excellence: "Excellent",
  target: "Good",
  minimum: "Minimum",
  fails: "Below minimum",
};

/** A measure's three limits. */
export type Limits = Omit<MetricLimits, "metric">;

/** Differences up to this come from rounding: 1 − 0.95 is a little more than 0.05. */
const ROUNDING = 1e-9;

/**
 * Whether a value is no lower than a limit; rounding does not count.
 * @example atLeast(0.1, 1 - 0.9) // true
 */
export const atLeast = (value: number, limit: number): boolean => value >= limit - ROUNDING;

/**
 * Whether a value meets a metric's limit, which lies above it if lower is better; rounding does not count.
 * @example meetsLimit("lower", 1 - 0.95, 0.05) // true
 */
export const meetsLimit = (better: Limits["better"], value: number, limit: number): boolean =>
  better === "higher" ? atLeast(value, limit) : atLeast(limit, value);

/**
 * The highest tier whose limit `value` meets; null if it was not measured.
 * Source: docs/spec/extraction.md, section 6.
 * @example tierOf({ better: "higher", minimum: 0.5, target: 0.75, excellence: 0.9 }, 0.8) // "target"
 */
export function tierOf(limits: Limits, value: number | null): Tier | null {
  if (value === null) return null;
  const meets = (limit: number) => meetsLimit(limits.better, value, limit);
  return tiers.find((tier) => tier === "fails" || meets(limits[tier])) ?? "fails";
}

/**
 * The level of a value in words, with the levels at its interval's ends if they differ; null if not measured.
 * @example levelText(limits, 0.76, [0.7, 0.82]) // "Good, could be Minimum"
 */
export function levelText(
  limits: Limits,
  value: number | null,
  interval: readonly [number, number] | null,
): string | null {
  const tier = tierOf(limits, value);
  if (tier === null) return null;
  const ends = (interval ?? []).map((end) => tierOf(limits, end)!);
  const others = tiers.toReversed().filter((one) => one !== tier && ends.includes(one));
  const could = others.map((one) => levelNames[one]).join(" or ");
  return could === "" ? levelNames[tier] : `${levelNames[tier]}, could be ${could}`;
}

/**
 * The lowest of some tiers, ignoring null; null if there is none.
 * @example lowestTier(["excellence", null, "minimum"]) // "minimum"
 */
export const lowestTier = (its: readonly (Tier | null)[]): Tier | null =>
  tiers.findLast((tier) => its.includes(tier)) ?? null;

/** Limits of the grades from A+ down to D (upper limits if lower is better); F is below all. */
export interface GradeScale {
  better: "higher" | "lower";
  limits: readonly [number, number, number, number, number, number];
}

/** Grades, best first; below the last limit the grade is F. */
const letters = ["A+", "A", "B+", "B", "C", "D"] as const;

/**
 * The letter grade of a value, A+ to F.
 * Source: docs/spec/extraction.md, section 6.
 * @example letterGrade({ better: "higher", limits: [0.9, 0.8, 0.75, 0.7, 0.6, 0.5] }, 0.76) // "B+"
 */
export function letterGrade({ better, limits }: GradeScale, value: number): string {
  const at = limits.findIndex((limit) => meetsLimit(better, value, limit));
  return letters[at] ?? "F";
}
