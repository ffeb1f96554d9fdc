import { eachSum } from "../../stats/compensated-sum.ts";
import { binnedDuration, type Duration, type Durations, durationOf } from "../durations.ts";
import { binnedTimes, resampledTimes, type TimeSpread } from "../time-spread.ts";
import { type AnswerRow, type RunState, unitName } from "./run-state.ts";

/** What the figures of a run are worked out from, whether it was kept in rows or in blocks. */
export interface RunBasis {
  samples: number;
  answers: number;
  /** What is resampled; strata are resampled apart, one after the other in the order of units. */
  units: { kind: "samples" | "clusters" | "blocks"; count: number; strata: number[] };
  /** By column, its sum by unit. */
  columns: Float64Array[];
  /** By sample its values in the order of the columns, repeats averaged; null in blocks. */
  values: number[][] | null;
  durations: Durations;
  times: TimeSpread;
}

/** The stratum of a sample's numbers, such as its level; strata are kept in the order of their names. */
export type StratumOf = (values: readonly number[]) => number;

/** A sample of a run that is kept in rows: its answers, and their numbers averaged. */
interface RunSample {
  rows: AnswerRow[];
  values: number[];
}

/**
 * The basis of a run's figures. Rows are taken in the order of the run, so the same run gives the same
 * numbers; in blocks every answer weighs the same, which is the mean over samples where each has
 * `repeats` of them. Where samples are the units and `stratumOf` is given, each stratum is resampled
 * apart. O(rows log rows).
 * @example runBasis(state, 1).samples
 */
export function runBasis(state: RunState, repeats: number, stratumOf?: StratumOf): RunBasis {
  return state.blocks === null
    ? basisOfRows(state, stratumOf)
    : basisOfBlocks(state, state.blocks, repeats);
}

function basisOfRows({ rows, answers }: RunState, stratumOf?: StratumOf): RunBasis {
  const samples = samplesOf(rows);
  const clustered = answers.clustered > 0;
  const { unitOf, strata } =
    clustered || !stratumOf ? units(samples) : inStrata(samples, stratumOf);
  const count = strata.reduce((sum, size) => sum + size, 0);
  const columns = Array.from(
    { length: rows[0]?.values.length ?? 0 },
    () => new Float64Array(count),
  );
  for (const [i, { values }] of samples.entries()) {
    for (const [k, column] of columns.entries()) column[unitOf[i]!]! += values[k]!;
  }
  const timed = samples.flatMap(({ rows: its }, i) =>
    its.map((row) => ({ ...row, unit: unitOf[i]! })),
  );
  return {
    ...{ samples: samples.length, answers: rows.length, columns },
    values: samples.map(({ values }) => values),
    units: { kind: clustered ? "clusters" : "samples", count, strata },
    durations: durationsOf(rows),
    times: resampledTimes(timed, count),
  };
}

/** Repeats are averaged within the sample. */
function samplesOf(rows: readonly AnswerRow[]): RunSample[] {
  const repeats = new Map<string, AnswerRow[]>();
  for (const row of rows) {
    const known = repeats.get(row.id);
    if (known === undefined) repeats.set(row.id, [row]);
    else known.push(row);
  }
  const mean = (its: readonly AnswerRow[], k: number) =>
    its.reduce((sum, { values }) => sum + values[k]!, 0) / its.length;
  return [...repeats.values()].map((its) => ({
    rows: its,
    values: its[0]!.values.map((_, k) => mean(its, k)),
  }));
}

/** Units numbered as they come. */
function units(samples: readonly RunSample[]): { unitOf: number[]; strata: number[] } {
  const numbers = new Map<string, number>();
  const unitOf = samples.map(({ rows }) => {
    const name = unitName(rows[0]!);
    const unit = numbers.get(name) ?? numbers.size;
    numbers.set(name, unit);
    return unit;
  });
  return { unitOf, strata: [numbers.size] };
}

/** Samples as units, stratum by stratum. */
function inStrata(samples: readonly RunSample[], stratumOf: StratumOf) {
  const strata = samples.map(({ values }) => stratumOf(values));
  const order = [...samples.keys()].sort((a, b) => strata[a]! - strata[b]! || a - b);
  const unitOf: number[] = [];
  order.forEach((sample, unit) => {
    unitOf[sample] = unit;
  });
  const sizes = new Map<number, number>();
  for (const sample of order) sizes.set(strata[sample]!, (sizes.get(strata[sample]!) ?? 0) + 1);
  return { unitOf, strata: [...sizes.values()] };
}

function durationsOf(rows: readonly AnswerRow[]): Durations {
  const known = (value: (row: AnswerRow) => number | null): Duration =>
    durationOf(rows.map(value).filter((one) => one !== null));
  return {
    latency: known(({ latencyMs }) => latencyMs),
    firstByte: known(({ firstByteMs }) => firstByteMs),
    generation: known(({ latencyMs, firstByteMs }) =>
      latencyMs === null || firstByteMs === null ? null : Math.max(0, latencyMs - firstByteMs),
    ),
  };
}

function basisOfBlocks(
  { answers }: RunState,
  { columns: blocks, times }: NonNullable<RunState["blocks"]>,
  repeats: number,
): RunBasis {
  const sums = Object.values(blocks).map(eachSum);
  const width = sums[0]?.length ?? 0;
  return {
    ...{ samples: Math.round(answers.scored / repeats), answers: answers.scored },
    values: null,
    units: { kind: "blocks", count: sums.length, strata: [sums.length] },
    columns: Array.from({ length: width }, (_, k) =>
      Float64Array.from(sums, (values) => values[k]! / repeats),
    ),
    durations: {
      latency: binnedDuration(times.latency),
      firstByte: binnedDuration(times.firstByte),
      generation: binnedDuration(times.generation),
    },
    times: binnedTimes(times, answers.clustered > 0),
  };
}
