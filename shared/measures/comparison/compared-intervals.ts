import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { percentileInterval } from "../../stats/bootstrap/percentile-interval.ts";
import {
  equalInterval,
  rateDifferenceInterval,
  rateInterval,
} from "../../stats/significance/rate-interval.ts";
import { isSpread, uncertain } from "../run-sums/interval-of.ts";
import type { MeasuredRun } from "./measured-runs.ts";

/**
 * The 95% interval of a run's metric over the samples of a comparison: Wilson's if every sample has 0 or 1, else from
 * the resamples. Equal scores within 0–1 still have an interval of positive width. Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example valueInterval(measured[0]!) // [0.61, 0.78]
 */
export function valueInterval(run: MeasuredRun): Interval | null {
  const [only] = run.parts;
  if (run.isRate) return rateInterval({ hits: only!.of, items: only!.over });
  return widened(run.value, run.draws, run.tested.length, run.areShares ? [0, 1] : null);
}

/**
 * The 95% interval of the difference of two runs, a − b: for two rates from the samples that differ, else from the
 * common resamples.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example differenceInterval(measured[0]!, measured[1]!) // [-0.04, 0.02]
 */
export function differenceInterval(a: MeasuredRun, b: MeasuredRun): Interval | null {
  const [x, y] = [a.parts[0]!, b.parts[0]!];
  const weight = x.over.reduce((sum, one) => sum + one, 0);
  if (a.isRate && b.isRate && x.over === y.over && weight === a.scores.length) {
    const hits = x.of.map((of, unit) => of - y.of[unit]!);
    let lost = 0;
    for (let i = 0; i < a.scores.length; i++) lost += Number(a.scores[i]! < b.scores[i]!);
    return rateDifferenceInterval({ hits, items: x.over }, lost);
  }
  const draws = a.draws.map((drawn, k) => drawn - b.draws[k]!);
  return widened(a.value - b.value, draws, a.tested.length, a.areShares ? [-1, 1] : null);
}

function widened(
  value: number,
  draws: Float64Array,
  units: number,
  bounds: readonly [number, number] | null,
): Interval | null {
  if (units < 2) return null;
  const interval = percentileInterval(draws, units);
  if (bounds === null || interval === null) return uncertain(interval, units);
  return isSpread(interval) ? interval : equalInterval(value, units, bounds);
}
