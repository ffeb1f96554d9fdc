import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import { type PerformanceFigure, performanceFigures } from "../../../measures/performance.ts";
import type { Interval } from "../../../stats/bootstrap.ts";
import { countFrom } from "../../../stats/unit-spread.ts";
import { wilsonInterval } from "../../../stats/wilson-interval.ts";
import { gradeOf } from "../grades.ts";
import { extractionMetrics } from "../metrics.ts";
import type { ExtractionOptions } from "../options.ts";
import { binGroups, tagGroups } from "./breakdown/group-breakdown.ts";
import { breakdownOf } from "./breakdown/make-breakdown.ts";
import { calibrationOf } from "./calibration.ts";
import { consistencyIntervals } from "./consistency-intervals.ts";
import { headlineFigures } from "./figures.ts";
import { consistencyOf } from "./repeats.ts";
import { type RunBasis, runBasis } from "./run-basis.ts";
import { runIntervals } from "./run-intervals.ts";
import { sampleMeans } from "./sample-means.ts";
import { type ExtractionState, groupsWithSamples, repeatedSamples } from "./state.ts";
import type { Tallies } from "./tallies.ts";

/** Metrics that are measured on samples, not on answers. */
const ofSamples = new Set(["outputConsistency", "fieldConsistency", "valueDeviation"]);

/**
 * The summary of a run: every metric of the catalogue with its 95% interval where it is a headline
 * figure, and the breakdown. Rows are taken in the order of the run, so the same run gives the same
 * bytes. Coverage is the share of answers that could be had and scored, for performance figures the share
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
