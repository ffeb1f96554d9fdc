import type { Interval } from "../bootstrap/bootstrap.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** A rate by unit of resampling: the items that count, and all. */
export interface RateByUnit {
  hits: ArrayLike<number>;
  items: ArrayLike<number>;
}

/**
 * The 95% interval of a rate, Σ hits / Σ items, within 0–1: Wilson's, for as many independent items as the items of
 * dependent ones are worth, n / deff. The design effect deff is the variance of the rate between units over that of
 * independent items, at least 1. A rate of 0 or 1 says nothing about it: then each unit counts as one item. Null for
 * fewer than two units with items. Linear.
 * Source: Kish 1965, Survey Sampling (design effect); docs/spec/statistics.md, bootstrap interval.
 * @example rateInterval({ hits: [1, 0, 1], items: [1, 1, 1] }) // [0.208, 0.939]
 */
export function rateInterval({ hits, items }: RateByUnit): Interval | null {
  const n = sum(items);
  const units = Array.from(items).filter((size) => size > 0).length;
  if (units < 2) return null;
  const rate = sum(hits) / n;
  const binomial = (rate * (1 - rate)) / n;
  const between =
    (units / (units - 1)) *
    Array.from(items).reduce((all, size, i) => all + (hits[i]! - rate * size) ** 2, 0) *
    n ** -2;
  const effect = binomial === 0 ? n / units : Math.max(1, units === n ? 1 : between / binomial);
  return wilsonInterval((rate * n) / effect, n / effect);
}

const sum = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((all, one) => all + one, 0);

/**
 * The 95% interval of a mean of `n` equal values within `least` and `most`, whose resamples are all equal, which does
 * not mean certainty: up to a share u of all values may differ, where u is Wilson's upper end for 0 of n, and lie at
 * either end. Null for fewer than two values.
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
