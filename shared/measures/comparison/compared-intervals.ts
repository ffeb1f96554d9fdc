import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { percentileInterval } from "../../stats/bootstrap/percentile-interval.ts";
import { equalInterval, rateInterval } from "../../stats/significance/rate-interval.ts";
import { uncertain } from "../run-sums/interval-of.ts";
import type { MeasuredRun } from "./measured-runs.ts";

/**
 * The 95% interval of a metric of a run over the samples of a comparison: Wilson's if every sample has 0 or 1, else that
 * of the resamples. Equal scores within 0–1 do not mean certainty below 1,000 samples. Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example valueInterval(measured[0]!) // [0.61, 0.78]
 */
export function valueInterval(run: MeasuredRun): Interval | null {
  const [only] = run.parts;
  const isRate = run.scores.every((score) => score === 0 || score === 1);
  if (isRate && run.parts.length === 1 && isCount(only!)) {
    return rateInterval({ hits: only!.of, items: only!.over });
  }
  return widened(run.value, run.draws, run, run.scores.every(isShare) ? [0, 1] : null);
}

/**
 * The 95% interval of the difference of two runs, a − b, from the same resamples.
 * Source: docs/spec/statistics.md, two models on the same samples.
 * @example differenceInterval(measured[0]!, measured[1]!) // [-0.04, 0.02]
 */
export function differenceInterval(a: MeasuredRun, b: MeasuredRun): Interval | null {
  const draws = a.draws.map((drawn, k) => drawn - b.draws[k]!);
  const areShares = a.scores.every(isShare) && b.scores.every(isShare);
  return widened(a.value - b.value, draws, a, areShares ? [-1, 1] : null);
}

const isShare = (score: number): boolean => score >= 0 && score <= 1;

/** Whether sums are those of samples with a weight of 1 each. */
const isCount = ({ over }: MeasuredRun["parts"][number]): boolean =>
  over.every((weight) => Number.isInteger(weight));

function widened(
  value: number,
  draws: Float64Array,
  { tested, scores }: Pick<MeasuredRun, "tested" | "scores">,
  bounds: readonly [number, number] | null,
): Interval | null {
  if (tested.length < 2) return null;
  const interval = percentileInterval(draws, tested.length);
  if (uncertain(interval, scores.length) !== null || bounds === null) {
    return uncertain(interval, scores.length);
  }
  return equalInterval(value, tested.length, bounds);
}
