import {
  binnedDurations,
  type Durations,
  durationsOf,
} from "../../../measures/performance/durations.ts";
import {
  binnedTimes,
  resampledTimes,
  type TimeSpread,
} from "../../../measures/performance/time-spread.ts";
import { samplesOf } from "../../../measures/run-sums/run-basis.ts";
import type { Figures } from "../../../stats/bootstrap/bootstrap.ts";
import { type Correlation, pearson, pearsonOfSums } from "../../../stats/correlation/pearson.ts";
import { eachSum } from "../../../stats/sums/compensated-sum.ts";
import {
  type CorrelationId,
  correlationPairs,
  headlineColumns,
  type RowNumbers,
  rowNumbers,
  type ScoreRow,
} from "./columns.ts";
import { addMeans, type MeanSums, noMeanSums, sampleMeanFigures } from "./figures.ts";
import { type ExtractionBlocks, type ExtractionState, pairSums } from "./state.ts";

/** A sample of a run that is kept in rows: its answers, and their numbers averaged. */
export interface RunSample {
  rows: ScoreRow[];
  numbers: RowNumbers;
  /** Unit of resampling, from 0: the sample, or where any has a cluster, the cluster. */
  unit: number;
}

/** What the figures of a run are worked out from, whether it was kept in rows or in blocks. */
export interface RunBasis {
  samples: number;
  answers: number;
  /** The samples themselves; null of a run that was kept in blocks. */
  kept: RunSample[] | null;
  /** What is resampled. */
  units: { kind: "samples" | "clusters" | "blocks"; count: number };
  /** Clusters of samples, where they are the units. */
  clusters: number | null;
  /** Valid outputs by sample, for figures over those alone. */
  validSamples: number;
  /** The headline columns by unit. */
  columns: Float64Array[];
  means: MeanSums;
  /** The same as figures of the bootstrap; null in blocks. */
  meanFigures: Figures | null;
  durations: Durations;
  correlations: Record<CorrelationId, Correlation>;
  times: TimeSpread;
}

/**
 * The basis of a run's figures. Rows are taken in the order of the run, so the same run gives the same
 * numbers; in blocks every answer weighs the same, which is the mean over samples where each has
 * `repeats` of them. O(rows log rows).
 * @example runBasis(state, 1).samples
 */
export function runBasis(state: ExtractionState, repeats: number): RunBasis {
  return state.blocks === null ? basisOfRows(state) : basisOfBlocks(state, state.blocks, repeats);
}

function basisOfRows({ rows, tallies }: ExtractionState): RunBasis {
  const samples = runSamples(rows);
  const count = samples.reduce((most, { unit }) => Math.max(most, unit + 1), 0);
  const clustered = tallies.clustered > 0;
  return {
    samples: samples.length,
    answers: rows.length,
    kept: samples,
    units: { kind: clustered ? "clusters" : "samples", count },
    clusters: clustered ? count : null,
    validSamples: samples.filter(({ numbers }) => numbers.valid > 0).length,
    columns: unitColumns(samples, count),
    means: meansOf(samples),
    meanFigures: sampleMeanFigures(samples, count),
    durations: durationsOf(rows),
    correlations: byPair((pair) => pearsonOfSamples(samples, pair)),
    times: resampledTimes(
      samples.flatMap(({ rows: its, unit }) => its.map((row) => ({ ...row, unit }))),
      count,
    ),
  };
}

/**
 * The samples of a run, repeats averaged, in the order of its rows; units are numbered as they come.
 * Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example runSamples([row, repeatOfRow]).length // 1
 */
export const runSamples = (rows: readonly ScoreRow[]): RunSample[] =>
  samplesOf(rows).map(({ rows: its, unit }) => ({
    rows: its,
    numbers: meanOf(its.map(rowNumbers)),
    unit,
  }));

function meanOf(repeats: RowNumbers[]): RowNumbers {
  const first = repeats[0]!;
  if (repeats.length === 1) return first;
  const means = { ...first };
  for (const name of Object.keys(first) as (keyof RowNumbers)[]) {
    means[name] = repeats.reduce((sum, numbers) => sum + numbers[name], 0) / repeats.length;
  }
  return means;
}

/**
 * The headline columns of samples, summed by unit of resampling from 0 to `count`.
 * @example unitColumns(samples, 12)[columnAt.eqs]
 */
function unitColumns(
  samples: readonly Pick<RunSample, "numbers" | "unit">[],
  count: number,
): Float64Array[] {
  return headlineColumns.map((name) => {
    const column = new Float64Array(count);
    for (const { numbers, unit } of samples) column[unit]! += numbers[name];
    return column;
  });
}

function meansOf(samples: readonly RunSample[]): MeanSums {
  const means = noMeanSums();
  for (const { numbers } of samples) addMeans(means, numbers);
  return means;
}

function byPair<Value>(
  of: (pair: (typeof correlationPairs)[number]) => Value,
): Record<CorrelationId, Value> {
  return Object.fromEntries(correlationPairs.map((pair) => [pair.id, of(pair)])) as Record<
    CorrelationId,
    Value
  >;
}

/** Repeats are averaged within the sample. */
function pearsonOfSamples(
  samples: readonly RunSample[],
  { of }: (typeof correlationPairs)[number],
): Correlation {
  const points = samples.flatMap(({ rows, numbers }) => {
    const pairs = rows.map((row) => of(row, numbers)).filter(isKnown);
    const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length;
    return pairs.length === 0 ? [] : [[mean(0), mean(1)] as const];
  });
  return pearson(
    points.map(([x]) => x),
    points.map(([, y]) => y),
  );
}

function isKnown(pair: [number | null, number | null]): pair is [number, number] {
  return pair[0] !== null && pair[1] !== null;
}

function basisOfBlocks(
  { tallies }: ExtractionState,
  blocks: ExtractionBlocks,
  repeats: number,
): RunBasis {
  const sums = Object.values(blocks.columns).map(eachSum);
  const column = (k: number) => Float64Array.from(sums, (values) => values[k]! / repeats);
  const columns = headlineColumns.map((_, k) => column(k));
  const total = (name: (typeof headlineColumns)[number]) =>
    columns[headlineColumns.indexOf(name)]!.reduce((sum, value) => sum + value, 0);
  const clustered = tallies.clustered > 0;
  return {
    samples: Math.round(total("samples")),
    answers: tallies.answers,
    kept: null,
    units: { kind: "blocks", count: sums.length },
    clusters: null,
    validSamples: Math.round(total("valid")),
    columns,
    means: blocks.means,
    meanFigures: null,
    durations: binnedDurations(blocks.times),
    correlations: byPair(({ id }) => pearsonOfSums(pairSums(blocks.moments[id]))),
    times: binnedTimes(blocks.times, clustered),
  };
}
