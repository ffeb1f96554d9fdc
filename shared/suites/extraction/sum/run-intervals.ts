import { timedIds } from "../../../measures/time-spread.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap.ts";
import { sumFigures } from "../../../stats/sum-figures.ts";
import { headline, headlineIds } from "./figures.ts";
import {
  type GroupSpread,
  groupsBySample,
  type NamedGroup,
  spreadsByPart,
  spreadsBySample,
} from "./group-intervals.ts";
import type { RunBasis } from "./run-basis.ts";
import { headlineMeans, sampleMeanIds } from "./sample-means.ts";

/** Intervals of a run and of its groups of samples. */
export interface RunIntervals {
  /** By metric id. */
  metrics: Record<string, Interval | null>;
  groups: Map<NamedGroup, GroupSpread>;
}

/**
 * 95% bootstrap intervals of the figures of a run, from 10,000 resamples of its samples (clusters), and of groups: as
 * many as a run kept in rows can afford from 2,000 of the same; the others from `parts`, the random groups of samples
 * that hold any (see `spreadsByPart`). O(resamples · samples).
 * Source: docs/spec/extraction.md, section 6; docs/spec/statistics.md, bootstrap interval.
 * @example runIntervals(basis, [english], [3, 17, 90], "run-1").metrics["eqs"]
 */
export function runIntervals(
  { kept, units, columns, times, meanFigures }: RunBasis,
  groups: readonly NamedGroup[],
  parts: readonly number[],
  seed: string,
): RunIntervals {
  const bySample = kept === null ? [] : groupsBySample(groups);
  const others = groups.filter((group) => !bySample.includes(group));
  const figures = [sumFigures(columns, headline), ...times.figures];
  if (meanFigures !== null) figures.push(meanFigures);
  const intervals = [...bootstrap(units.count, seed, figures), ...times.intervals];
  const names = [...headlineIds, ...timedIds, ...sampleMeanIds];
  const metrics = Object.fromEntries(names.map((id, k) => [id, intervals[k] ?? null]));
  for (const [id, same] of Object.entries(headlineMeans)) metrics[id] = metrics[same] ?? null;
  return {
    metrics,
    groups: new Map([
      ...zip(bySample, kept === null ? [] : spreadsBySample(bySample, kept, units.count, seed)),
      ...zip(others, spreadsByPart(others, parts, seed)),
    ]),
  };
}

const zip = (groups: readonly NamedGroup[], spreads: readonly GroupSpread[]) =>
  groups.map((group, g): [NamedGroup, GroupSpread] => [group, spreads[g]!]);
