import studentQuantile from "@stdlib/stats-base-dists-t-quantile";
import type { Interval } from "../bootstrap/bootstrap.ts";
import { equalInterval } from "./rate-interval.ts";
import { wilsonInterval } from "./wilson-interval.ts";

/** The answers of one unit of resampling: a sample, or a cluster of samples. */
export interface RatedUnit {
  /** Answers that only the judge rated: their number, and the sum of the judge's values. */
  unrated: { n: number; sum: number };
  /** Answers that people rated: the judge's value, and the mean of people's. */
  rated: readonly (readonly [judge: number, people: number])[];
}

/** A judge's mean, corrected by people's ratings. */
export interface CorrectedMean {
  value: number;
  /** The judge's mean of all answers. */
  judge: number;
  /** 95%, within the scale; null for fewer than `fewestRated` rated units. */
  interval: Interval | null;
  /** Number of rated answers. */
  n: number;
  /** Weight of the judge's values, 0–1; 0: people's ratings alone are as good. */
  weight: number;
  /** Rated answers needed for half the interval's width; null: not even rating all answers suffices, or unknown. */
  toHalve: number | null;
}

/** With fewer rated units there is no interval: the weight and the variance would be too rough. */
const fewestRated = 10;

/**
 * The mean of people's ratings over all answers, estimated from a judge's values of all and people's ratings of some,
 * which must be a random choice: prediction-powered inference with the weight of the judge that minimizes the
 * variance (PPI++). `scale` gives the ends of the ratings' scale. The variance is that of the units' contributions,
 * with Student's t for the rated units; ratings that are each an end of the scale have Wilson's interval for as many
 * independent ratings as they are worth. Null without rated answers. Linear.
 * Source: Angelopoulos et al. 2023, Prediction-powered inference; Angelopoulos, Duchi and Zrnic 2023, PPI++;
 * docs/spec/statistics.md, means corrected by people.
 * @example correctedMean(units, [1, 5])?.value // 3.4
 */
export function correctedMean(
  units: readonly RatedUnit[],
  scale: readonly [number, number],
): CorrectedMean | null {
  const rated = units.flatMap((unit) => unit.rated);
  const [n, rest] = [rated.length, sumOf(units, ({ unrated }) => unrated.n)];
  if (n === 0) return null;
  const people = sumOf(rated, ([, own]) => own) / n;
  const onRated = sumOf(rated, ([judge]) => judge) / n;
  const restSum = sumOf(units, ({ unrated }) => unrated.sum);
  const onRest = rest === 0 ? onRated : restSum / rest;
  // Each unit's part in the error of people's mean, and in that of the judge's mean of unrated minus rated answers.
  const errors = units.map(({ rated: its, unrated }) => {
    const gap = sumOf(its, ([judge]) => judge - onRated) / n;
    const ofJudge = rest === 0 ? 0 : (unrated.sum - unrated.n * onRest) / rest - gap;
    return [sumOf(its, ([, own]) => own - people) / n, ofJudge] as const;
  });
  const squares = sumOf(errors, ([, b]) => b * b);
  const best = squares <= ROUNDING ? 0 : -sumOf(errors, ([a, b]) => a * b) / squares;
  const weight = clamp(best, [0, 1]);
  const value = clamp(people + weight * (onRest - onRated), scale);
  const ratedUnits = units.filter((unit) => unit.rated.length > 0).length;
  // The mean uses one degree of freedom, the fitted weight another.
  const free = ratedUnits - 1 - Number(weight > 0 && weight < 1);
  const variance = (ratedUnits / free) * sumOf(errors, ([a, b]) => (a + weight * b) ** 2);
  const isRate = rated.every(([, own]) => scale.includes(own));
  const interval =
    ratedUnits < fewestRated
      ? null
      : intervalOf(value, { variance, free, ratedUnits, isRate }, scale);
  const judge = (n * onRated + restSum) / (n + rest);
  return { value, judge, interval, n, weight, toHalve: interval && toHalve(rated, rest) };
}

/** Differences this small are rounding errors. */
const ROUNDING = 1e-15;

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((all, item) => all + of(item), 0);
const clamp = (value: number, [low, high]: readonly [number, number]) =>
  Math.min(high, Math.max(low, value));

function intervalOf(
  value: number,
  its: { variance: number; free: number; ratedUnits: number; isRate: boolean },
  [low, high]: readonly [number, number],
): Interval | null {
  const [range, { variance, free, ratedUnits, isRate }] = [high - low, its];
  if (variance <= ROUNDING * range ** 2) return equalInterval(value, ratedUnits, [low, high]);
  if (isRate) {
    const share = (value - low) / range;
    const n = Math.max(ratedUnits, (share * (1 - share) * range ** 2) / variance);
    const [from, to] = wilsonInterval(share * n, n) ?? [0, 1];
    return [low + from * range, low + to * range];
  }
  const reach = studentQuantile(0.975, free) * Math.sqrt(variance);
  return [clamp(value - reach, [low, high]), clamp(value + reach, [low, high])];
}

/** Assumes independent answers; the variance of the estimate for `n` rated answers is minimized over the weight. */
function toHalve(rated: readonly RatedUnit["rated"][number][], unrated: number): number | null {
  const all = rated.length + unrated;
  const mean = (k: 0 | 1) => sumOf(rated, (pair) => pair[k]) / rated.length;
  const [judge, people] = [mean(0), mean(1)];
  const jj = sumOf(rated, ([own]) => (own - judge) ** 2);
  const jp = sumOf(rated, ([own, other]) => (own - judge) * (other - people));
  const pp = sumOf(rated, ([, own]) => (own - people) ** 2);
  const variance = (n: number) => {
    const gain = jp <= 0 || n === all ? 0 : jp ** 2 / n ** 2 / (jj * (1 / n + 1 / (all - n)));
    return pp / n - gain;
  };
  const wanted = variance(rated.length) / 4;
  if (wanted <= 0 || variance(all) > wanted) return null;
  let [from, to] = [rated.length, all];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (variance(middle) <= wanted) to = middle;
    else from = middle;
  }
  return to;
}
