import type { Figures, Interval } from "../../stats/bootstrap/bootstrap.ts";
import {
  percentileFigures,
  sumFigures,
  type UnitValue,
} from "../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../stats/bootstrap/statistics.ts";
import { binnedInterval, binnedMeanInterval } from "../../stats/sums/log-bins.ts";
import { type CallTimes, generationMs, type TimeBins } from "./durations.ts";

const timed = ["latency", "firstByte", "generation"] as const;
const shares = { P50: 0.5, P95: 0.95, P99: 0.99 } as const;

/**
 * The metrics for which a `TimeSpread` gives intervals, in its order: three percentiles and the mean of each time.
 * @example timedIds[0] // "latencyP50"
 */
export const timedIds: readonly string[] = timed.flatMap((name) =>
  [...Object.keys(shares), "Mean"].map((figure) => `${name}${figure}`),
);

/** Fewest times with which intervals of a percentile hold their level; `npm run validate` measures them. */
export const leastTimes = { P50: 6, P95: 120, P99: 600 } as const;

/**
 * Whether so many times tell both ends of a figure's interval. A resample has no time beyond the longest, so intervals of
 * a high percentile are too short where few times lie beyond it.
 * @example tellsEnds("latencyP95", 60) // false
 */
export const tellsEnds = (id: string, n: number): boolean =>
  Object.entries(leastTimes).every(([end, least]) => !id.endsWith(end) || n >= least);

/** Times in the order of `timedIds`: as figures of a bootstrap, or as intervals; one of the two is empty. */
export interface TimeSpread {
  figures: Figures[];
  intervals: (Interval | null)[];
}

/** The times of an answer in ms, and its unit of resampling (sample or cluster, from 0). */
interface TimedAnswer extends CallTimes {
  unit: number;
}

/**
 * The times of single answers as figures of a bootstrap over `units` units. O(answers log answers).
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example resampledTimes([{ latencyMs: 500, firstByteMs: 90, unit: 0 }], 1).figures.length // 6
 */
export function resampledTimes(answers: readonly TimedAnswer[], units: number): TimeSpread {
  const known = (of: (answer: TimedAnswer) => number | null): UnitValue[] =>
    answers.flatMap((answer) => {
      const value = of(answer);
      return value === null ? [] : [{ value, unit: answer.unit }];
    });
  const values = [
    known(({ latencyMs }) => latencyMs),
    known(({ firstByteMs }) => firstByteMs),
    known(generationMs),
  ];
  const figures = values.flatMap((its) => [
    percentileFigures(its, units, Object.values(shares)),
    meanFigure(its, units),
  ]);
  return { figures, intervals: [] };
}

function meanFigure(values: readonly UnitValue[], units: number): Figures {
  const [sums, counts] = [new Float64Array(units), new Float64Array(units)];
  for (const { value, unit } of values) {
    sums[unit]! += value;
    counts[unit]!++;
  }
  return sumFigures([sums, counts], ratiosOf([[0, 1]]));
}

/**
 * Intervals of times counted in bins, which have no units: percentiles by order statistics, means by the central
 * limit theorem. All null if answers share sources (`isClustered`).
 * @example binnedTimes({ latency, firstByte, generation }, false).intervals.length // 12
 */
export function binnedTimes(bins: TimeBins, isClustered: boolean): TimeSpread {
  const intervals = timed.flatMap((name) => [
    ...Object.values(shares).map((share) => binnedInterval(bins[name], share)),
    binnedMeanInterval(bins[name]),
  ]);
  return { figures: [], intervals: isClustered ? intervals.map(() => null) : intervals };
}
