import { unitName } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap.ts";
import { ratiosOf } from "../../../stats/statistics.ts";
import { sumFigures } from "../../../stats/sum-figures.ts";
import { type SampleConsistency, sampleConsistency } from "./repeats.ts";
import { type ExtractionState, repeatedSamples } from "./state.ts";

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** What is summed of each sample. */
const columns: readonly ((sample: SampleConsistency) => number)[] = [
  () => 1,
  ({ modalShare }) => modalShare,
  ({ agreements }) => agreements.length,
  ({ agreements }) => sumOf(agreements),
  ({ deviations }) => deviations.length,
  ({ deviations }) => sumOf(deviations),
];

/** Which of these sums a figure is, over which. */
const figures = {
  outputConsistency: [1, 0],
  fieldConsistency: [3, 2],
  valueDeviation: [5, 4],
} as const;

/**
 * 95% bootstrap intervals of how alike repeats are, by metric id, over the samples that were asked more than once;
 * samples of one source are resampled together. Null below two of these, and in a run with sources that is too large for
 * them to be kept by sample. O(resamples · samples).
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example consistencyIntervals(state, "run-1").outputConsistency // [low, high]
 */
export function consistencyIntervals(
  state: ExtractionState,
  seed: string,
): Record<keyof typeof figures, Interval | null> {
  const isLost = state.blocks !== null && state.tallies.clustered > 0;
  const samples = isLost ? [] : samplesByUnit(state);
  const sums = columns.map((of) => Float64Array.from(samples, (its) => sumOf(its.map(of))));
  const [output = null, field = null, deviation = null] = bootstrap(samples.length, seed, [
    sumFigures(sums, ratiosOf(Object.values(figures))),
  ]);
  return { outputConsistency: output, fieldConsistency: field, valueDeviation: deviation };
}

function samplesByUnit(state: ExtractionState): SampleConsistency[][] {
  const clusters = new Map(state.rows.map(({ id, cluster }) => [id, cluster]));
  const units = new Map<string, SampleConsistency[]>();
  for (const { id, answers } of repeatedSamples(state)) {
    if (answers.length < 2) continue;
    const name = unitName({ id, cluster: clusters.get(id) ?? null });
    const known = units.get(name) ?? [];
    units.set(name, [...known, sampleConsistency(answers)]);
  }
  return [...units.values()];
}
