import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import type { PerformanceFigure } from "../../../measures/performance/performance.ts";
import { shareInterval, uncertain } from "../../../measures/run-sums/interval-of.ts";
import { type RunBasis, runBasis } from "../../../measures/run-sums/run-basis.ts";
import { noEstimate, runFigures } from "../../../measures/run-sums/run-figures.ts";
import { unitName } from "../../../measures/run-sums/run-state.ts";
import { bootstrap, type Interval } from "../../../stats/bootstrap/bootstrap.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../../stats/bootstrap/statistics.ts";
import { countFrom } from "../../../stats/sums/unit-spread.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ExtractionOptions } from "../options.ts";
import { gradeOf } from "../thresholds.ts";
import { shownGroups } from "./breakdown/group-breakdown.ts";
import { breakdownOf } from "./breakdown/make-breakdown.ts";
import { runStatistics, sampleCounts } from "./figures.ts";
import {
  type GroupSpread,
  groupsBySample,
  groupsWithSamples,
  type NamedGroup,
  namedGroups,
  spreadsByPart,
  spreadsBySample,
} from "./groups.ts";
import { consistencyOf, type SampleConsistency, sampleConsistency } from "./repeats.ts";
import { type ExtractionState, repeatedSamples } from "./state.ts";
import { calibrationOf } from "./tallies.ts";

/** Metrics that are measured per sample, not per answer. */
const ofSamples = new Set(["outputConsistency", "fieldConsistency", "valueDeviation"]);

/**
 * The summary of a run: every metric of the catalogue, with its 95% interval if it is computed from sums over samples,
 * and the breakdown. Rows are processed in run order, so the same run gives the same bytes. Coverage is the share of
 * samples that were answered and scored; for other figures, the share of answers on which they were measured. Without
 * samples every value is null. O(resamples · samples).
 * Source: docs/spec/extraction.md, sections 6 to 11; docs/spec/statistics.md.
 * @example summarize(state, run).metrics["eqs"] // { value, interval, n, coverage }
 */
export function summarize(state: ExtractionState, run: RunFacts<ExtractionOptions>): Summary {
  const { repeats } = run.options;
  const basis = runBasis(state.run, repeats);
  const consistency = consistencyOf(repeatedSamples(state).map(({ answers }) => answers));
  const own = { ...fieldFigures(state, run), ...optionalFigures(state, consistency) };
  const answers = basis.answers + state.run.answers.unscored;
  const estimates: Record<string, Estimate> = runFigures(
    state.run,
    basis,
    runStatistics,
    extractionMetrics,
    run,
    sampleCounts,
  );
  const ownIntervals: Record<string, Interval | null> = consistencyIntervals(state, run.runId);
  for (const [id, { value, n }] of Object.entries(own)) {
    const whole = ofSamples.has(id) ? basis.samples : answers;
    const drawn = value === null ? null : (ownIntervals[id] ?? null);
    const isShare = id === "outputConsistency" || id === "fieldConsistency";
    const interval = isShare ? shareInterval(drawn, value, n) : uncertain(drawn, n);
    estimates[id] = { value, interval, n, coverage: Math.min(1, n / Math.max(1, whole)) };
  }
  const metrics = Object.fromEntries(
    extractionMetrics.map(({ id }) => [id, graded(id, estimates[id] ?? noEstimate)]),
  );
  const named = namedGroups(state, repeats);
  const shown = shownGroups(named);
  const held = groupsWithSamples(named);
  const spreads = groupSpreads(state, basis, [...shown.bins, ...shown.tags], held, run.runId);
  const groups = { shown, spreads, held };
  return { metrics, breakdown: breakdownOf({ state, basis, metrics, consistency, groups, run }) };
}

function graded(id: string, estimate: Estimate): Estimate {
  const grade = gradeOf(id, estimate.value);
  return grade === undefined ? estimate : { ...estimate, grade };
}

/** Figures over the fields of all answers. */
function fieldFigures(
  { run, tallies, fields }: ExtractionState,
  { wallMs, options }: RunFacts<ExtractionOptions>,
): Record<string, PerformanceFigure> {
  const answers = run.answers.scored;
  const { metered } = tallies;
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
  { tallies }: ExtractionState,
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

/**
 * The spreads of groups. In a run kept as rows, some groups use 2,000 resamples of its samples or clusters (see
 * `groupsBySample`); the others use `held`, the non-empty random groups of samples (see `spreadsByPart`).
 * O(resamples · samples).
 * Source: docs/spec/extraction.md, section 6; docs/spec/statistics.md, bootstrap interval.
 * @example groupSpreads(state, basis, [english], [3, 17, 90], "run-1").get(english)?.intervals["eqs"]
 */
export function groupSpreads(
  { kept }: ExtractionState,
  basis: RunBasis,
  groups: readonly NamedGroup[],
  held: readonly number[],
  seed: string,
): Map<NamedGroup, GroupSpread> {
  const bySample = basis.values === null ? [] : groupsBySample(groups);
  const others = groups.filter((group) => !bySample.includes(group));
  return new Map([
    ...zip(bySample, bySample.length === 0 ? [] : spreadsBySample(bySample, kept, basis, seed)),
    ...zip(others, spreadsByPart(others, held, seed)),
  ]);
}

const zip = (groups: readonly NamedGroup[], spreads: readonly GroupSpread[]) =>
  groups.map((group, g): [NamedGroup, GroupSpread] => [group, spreads[g]!]);

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The sums of each sample. */
const columns: readonly ((sample: SampleConsistency) => number)[] = [
  () => 1,
  ({ modalShare }) => modalShare,
  ({ agreements }) => agreements.length,
  ({ agreements }) => sumOf(agreements),
  ({ deviations }) => deviations.length,
  ({ deviations }) => sumOf(deviations),
];

/** Indexes of the numerator and denominator of each figure among these sums. */
const figures = {
  outputConsistency: [1, 0],
  fieldConsistency: [3, 2],
  valueDeviation: [5, 4],
} as const;

/**
 * 95% bootstrap intervals of the similarity of repeats, by metric id, over samples with more than one answer; samples
 * of one source are resampled together. Null below two samples or sources, and for a run with sources that is too large
 * to be kept by sample. O(resamples · samples).
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example consistencyIntervals(state, "run-1").outputConsistency // [low, high]
 */
export function consistencyIntervals(
  state: ExtractionState,
  seed: string,
): Record<keyof typeof figures, Interval | null> {
  const isLost = state.run.blocks !== null && state.run.answers.clustered > 0;
  const samples = isLost ? [] : samplesByUnit(state);
  const sums = columns.map((of) => Float64Array.from(samples, (its) => sumOf(its.map(of))));
  const [output = null, field = null, deviation = null] = bootstrap(samples.length, seed, [
    sumFigures(sums, ratiosOf(Object.values(figures))),
  ]);
  return { outputConsistency: output, fieldConsistency: field, valueDeviation: deviation };
}

function samplesByUnit(state: ExtractionState): SampleConsistency[][] {
  const clusters = new Map(state.kept.map(({ id, cluster }) => [id, cluster]));
  const repeated = repeatedSamples(state).filter(({ answers }) => answers.length > 1);
  const units = Map.groupBy(repeated, ({ id }) =>
    unitName({ id, cluster: clusters.get(id) ?? null }),
  );
  return [...units.values()].map((its) => its.map(({ answers }) => sampleConsistency(answers)));
}
