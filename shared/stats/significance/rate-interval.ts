import type { Interval } from "../bootstrap/bootstrap.ts";
import { wilsonInterval, z95 } from "./wilson-interval.ts";

/** A rate by unit of resampling: the number of hits, and of all items. */
export interface RateByUnit {
  hits: ArrayLike<number>;
  items: ArrayLike<number>;
}

/**
 * The 95% interval of a rate, Σ hits / Σ items, within 0–1: Wilson's, for the effective number of independent items, n
 * / deff. The design effect deff is the variance of the rate between units over the variance with independent items, at
 * least 1. It can't be estimated from a rate of 0 or 1: then each unit counts as one item. Null for fewer than two
 * units with items. Linear.
 * Source: Kish 1965, Survey Sampling (design effect); docs/spec/statistics.md, bootstrap interval.
 * @example rateInterval({ hits: [1, 0, 1], items: [1, 1, 1] }) // [0.208, 0.939]
 */
export function rateInterval({ hits, items }: RateByUnit): Interval | null {
  const n = sum(items);
  const rate = sum(hits) / n;
  const worth = worthOf({ hits, items }, rate * (1 - rate));
  return worth === null ? null : wilsonInterval(rate * worth, worth);
}

/**
 * Effective number of independent items, n / deff; `variance`: the variance of an independent item. Null for fewer than
 * two units with items.
 */
function worthOf({ hits, items }: RateByUnit, variance: number): number | null {
  const n = sum(items);
  let units = 0;
  for (let i = 0; i < items.length; i++) units += Number(items[i]! > 0);
  if (units < 2) return null;
  if (variance === 0 || units === n) return units;
  const rate = sum(hits) / n;
  let squares = 0;
  for (let i = 0; i < items.length; i++) squares += (hits[i]! - rate * items[i]!) ** 2;
  const between = ((units / (units - 1)) * squares) / n;
  return n / Math.max(1, between / variance);
}

/**
 * The design effect of a rate, at least 1: the number of dependent items per independent item. Null for fewer than
 * two units with items. Linear.
 * Source: Kish 1965, Survey Sampling.
 * @example designEffect({ hits: [2, 0], items: [2, 2] }) // 4
 */
export function designEffect({ hits, items }: RateByUnit): number | null {
  const n = sum(items);
  const rate = sum(hits) / n;
  const worth = worthOf({ hits, items }, rate * (1 - rate));
  return worth === null ? null : n / worth;
}

/**
 * The 95% interval of the difference of two rates on the same items, within −1 to 1. `hits` are, by unit, the hits of
 * the first rate minus those of the second; `lost` is the number of items that are hits only in the second. The
 * adjusted Wald interval for the effective number of independent items, because resamples of few differing items would
 * be too narrow. Null for fewer than two units with items. Linear.
 * Source: Bonett and Price 2012, Adjusted Wald confidence interval for a difference of binomial proportions based on
 * paired data.
 * @example rateDifferenceInterval({ hits: [1, 0, 0], items: [1, 1, 1] }, 0) // [-0.47, 0.87]
 */
export function rateDifferenceInterval(differences: RateByUnit, lost: number): Interval | null {
  const n = sum(differences.items);
  const difference = sum(differences.hits) / n;
  const [won, missed] = [difference + lost / n, lost / n];
  const worth = worthOf(differences, won + missed - difference ** 2);
  if (worth === null) return null;
  const centre = (difference * worth) / (worth + 2);
  const apart = ((won + missed) * worth + 2) / (worth + 2);
  const reach = z95 * Math.sqrt((apart - centre ** 2) / (worth + 2));
  return [Math.max(-1, centre - reach), Math.min(1, centre + reach)];
}

function sum(values: ArrayLike<number>): number {
  let all = 0;
  for (let i = 0; i < values.length; i++) all += values[i]!;
  return all;
}

/**
 * The 95% interval of a mean of `n` equal values within `least` and `most`. Their resamples are all equal, but a share
 * u of all values may differ and lie at either end, where u is Wilson's upper end for 0 of n. Null for fewer than two
 * values.
 * @example equalInterval(1, 15, [0, 1]) // [0.796, 1]
 */
export function equalInterval(
  value: number,
  n: number,
  [least, most]: readonly [number, number],
): Interval | null {
  if (n < 2) return null;
  const unseen = wilsonInterval(0, n)?.[1] ?? 0;
  return [value - unseen * (value - least), value + unseen * (most - value)];
}
