import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import {
  type PerformanceFigure,
  performanceFigures,
} from "../../../measures/performance/performance.ts";
import { timedIds } from "../../../measures/performance/time-spread.ts";
import { unitName } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../../stats/bootstrap/statistics.ts";
import { wilsonInterval } from "../../../stats/significance/wilson-interval.ts";
import { countFrom } from "../../../stats/sums/unit-spread.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ExtractionOptions } from "../options.ts";
import { gradeOf } from "../thresholds.ts";
import { binGroups, tagGroups } from "./breakdown/group-breakdown.ts";
import { breakdownOf } from "./breakdown/make-breakdown.ts";
import {
  headline,
  headlineFigures,
  headlineIds,
  headlineMeans,
  sampleMeanIds,
  sampleMeans,
} from "./figures.ts";
import {
  type GroupSpread,
  groupsBySample,
  type NamedGroup,
  spreadsByPart,
  spreadsBySample,
} from "./group-spreads.ts";
import { consistencyOf, type SampleConsistency, sampleConsistency } from "./repeats.ts";
import { type RunBasis, runBasis } from "./run-basis.ts";
import { type ExtractionState, groupsWithSamples, repeatedSamples } from "./state.ts";
import { calibrationOf, type Tallies } from "./tallies.ts";

/** Metrics that are measured on samples, not on answers. */
const ofSamples = new Set(["outputConsistency", "fieldConsistency", "valueDeviation"]);

/**
 * The summary of a run: every metric of the catalogue with its 95% interval where it is a headline
 * figure, and the breakdown. Rows are taken in the order of the run, so the same run gives the same
 * bytes. Coverage is the share of samples that were answered and scored, for performance figures the share
 * of answers they were measured on. Without samples every value is null. O(resamples · samples).
 * Source: docs/spec/extraction.md, sections 6 to 11; docs/spec/statistics.md.
 * @example summarize(state, run).metrics["eqs"] // { value, interval, n, coverage }
 */
export function summarize(state: ExtractionState, run: RunFacts<ExtractionOptions>): Summary {
  const { repeats } = run.options;
  const basis = runBasis(state, repeats);
  const consistency = consistencyOf(repeatedSamples(state).map(({ answers }) => answers));
  const { calls, covered, unscored } = state.tallies;
  const measured: Record<string, PerformanceFigure> = {
    ...performanceFigures(calls, basis.durations, run.wallMs, run.prices),
    ...fieldFigures(state, run),
    ...optionalFigures(state.tallies, consistency),
  };
  const figures = { ...meansFigures(basis), ...measured, ...scoreFigures(basis) };
  const [bins, tags] = [binGroups(state, repeats), tagGroups(state, repeats)];
  const parts = groupsWithSamples(state);
  const resampled = runIntervals(basis, [...bins, ...tags.groups], parts, run.runId);
  const intervals: Record<string, Interval | null> = {
    ...resampled.metrics,
    ...consistencyIntervals(state, run.runId),
  };
  const metrics = Object.fromEntries(
    extractionMetrics.map(({ id }) => {
      const whole = ofSamples.has(id) ? basis.samples : basis.answers + unscored;
      const coverage = Math.min(1, (measured[id]?.n ?? covered) / Math.max(1, whole));
      const interval = figures[id]?.interval ?? intervals[id] ?? null;
      return [id, estimate(id, figures[id]!, interval, coverage)];
    }),
  );
  const groups = { bins, tags, spreads: resampled.groups };
  return { metrics, breakdown: breakdownOf({ state, basis, metrics, consistency, groups, run }) };
}

function scoreFigures(basis: RunBasis): Record<string, PerformanceFigure> {
  const sums = Float64Array.from(basis.columns, (column) => column.reduce((a, b) => a + b, 0));
  return Object.fromEntries(
    Object.entries(headlineFigures(sums)).map(([id, value]) => {
      const n = id.endsWith("OfValid") ? basis.validSamples : basis.samples;
      // Resamples of samples that were all answered are all alike: that is no certainty.
      const own = id === "successRate" && value !== null && n > 1;
      return [id, { value, n, ...(own && { interval: wilsonInterval(value * n, n) }) }];
    }),
  );
}

function meansFigures({ means, samples }: RunBasis): Record<string, PerformanceFigure> {
  const entries = Object.entries(sampleMeans(means));
  return Object.fromEntries(entries.map(([id, value]) => [id, { value, n: samples }]));
}

/** Figures over the fields of all answers. */
function fieldFigures(
  { tallies, fields }: ExtractionState,
  { wallMs, options }: RunFacts<ExtractionOptions>,
): Record<string, PerformanceFigure> {
  const { answers, metered } = tallies;
  const { exact, partial, incorrect, spurious } = tallies.fields;
  const predicted = exact + partial + incorrect + spurious;
  const { levenshtein } = fields.similarity;
  const fuzzy = countFrom(levenshtein, options.stringFuzzyThreshold);
  const share = (part: number, whole: number, n: number) => ({
    value: whole === 0 ? null : part / whole,
    n,
  });
  const seconds = wallMs === null || answers === 0 ? 0 : wallMs / 1000;
  return {
    fuzzyMatchRate: share(fuzzy, levenshtein.n, fields.withStrings),
    fieldsPerSecond: share(predicted, seconds, answers),
    tokenEfficiency: share(metered.predictedFields, metered.outputTokens, metered.answers),
  };
}

function optionalFigures(
  tallies: Tallies,
  { samples, ...consistency }: ReturnType<typeof consistencyOf>,
): Record<string, PerformanceFigure> {
  const calibration = calibrationOf(tallies);
  return {
    calibrationError: { value: calibration?.error ?? null, n: calibration?.n ?? 0 },
    outputConsistency: { value: consistency.modalShare, n: samples },
    fieldConsistency: { value: consistency.fieldAgreement, n: samples },
    valueDeviation: { value: consistency.valueDeviation, n: samples },
  };
}

function estimate(
  id: string,
  { value, n }: PerformanceFigure,
  interval: Interval | null,
  coverage: number,
): Estimate {
  const grade = gradeOf(id, value);
  return {
    value,
    interval: value === null ? null : interval,
    n,
    coverage,
    ...(grade !== undefined && { grade }),
  };
}

/** Intervals of a run and of its groups of samples. */
interface RunIntervals {
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
