import type { Estimate } from "../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../contracts/suite.ts";
import { type PerformanceFigure, performanceFigures } from "../../measures/performance.ts";
import { bootstrapIntervals, type Interval } from "../../stats/bootstrap.ts";
import { bootstrapPercentiles } from "../../stats/bootstrap-percentiles.ts";
import { type SampleNumbers, sampleNumbers, unitColumns } from "./columns.ts";
import { headlineFigures, sampleMeans } from "./figures.ts";
import { gradeOf } from "./grades.ts";
import { breakdownOf } from "./make-breakdown.ts";
import { extractionMetrics } from "./metrics.ts";
import type { ExtractionOptions } from "./options.ts";
import { type ExtractionState, rowsOf, type ScoreRow } from "./state.ts";
import { fieldCounts } from "./tally.ts";

/** A value with what it rests on, before coverage and grade. */
interface Figure extends PerformanceFigure {
  interval?: Interval | null;
}

const latencyShares = { latencyP50: 0.5, latencyP95: 0.95, latencyP99: 0.99 } as const;

/**
 * The summary of a run: every metric of the catalogue with its 95% interval where it is a headline
 * figure, and the breakdown. Rows are taken in the order of the run, so the same run gives the same
 * bytes. Coverage is the share of samples with an answer, for performance figures the share of answers
 * they were measured on. Without samples every value is null. O(resamples · samples).
 * Source: specification of the extraction suite, section 6; of statistics.
 * @example summarize(state, run).metrics["eqs"] // { value, interval, n, coverage }
 */
export function summarize(state: ExtractionState, run: RunFacts<ExtractionOptions>): Summary {
  const rows = rowsOf(state);
  const numbers = sampleNumbers(rows);
  const calls = callFigures(rows, numbers, run);
  const figures = { ...meansFigures(numbers), ...calls, ...scoreFigures(numbers, run.runId) };
  const covered = rows.filter((row) => row.covered).length;
  const coverage = (id: string) => (calls[id]?.n ?? covered) / Math.max(1, rows.length);
  const metrics = Object.fromEntries(
    extractionMetrics.map(({ id }) => [id, estimate(id, figures[id]!, coverage(id))]),
  );
  return { metrics, breakdown: breakdownOf(rows, numbers, metrics) };
}

function scoreFigures(numbers: SampleNumbers, runId: string): Record<string, Figure> {
  const columns = unitColumns(numbers);
  const sums = Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0));
  const intervals = bootstrapIntervals(columns, Object.values(headlineFigures), runId);
  const valid = numbers.samples.filter((sample) => sample.valid > 0).length;
  return Object.fromEntries(
    Object.entries(headlineFigures).map(([id, statistic], k) => {
      const n = id.endsWith("OfValid") ? valid : numbers.samples.length;
      return [id, { value: statistic(sums), interval: intervals[k] ?? null, n }];
    }),
  );
}

function meansFigures({ samples }: SampleNumbers): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(sampleMeans(samples)).map(([id, value]) => [id, { value, n: samples.length }]),
  );
}

function callFigures(
  rows: readonly ScoreRow[],
  numbers: SampleNumbers,
  run: RunFacts<ExtractionOptions>,
): Record<string, Figure> {
  const calls = rows.map((row) => row.call);
  const figures: Record<string, Figure> = performanceFigures(calls, run.wallMs, run.prices);
  const fields = rows.reduce((sum, row) => sum + fieldCounts(row).predicted, 0);
  const tokens = figures["outputTokens"]!;
  latencyIntervals(rows, numbers, run.runId).forEach((interval, k) => {
    const id = Object.keys(latencyShares)[k]!;
    figures[id] = { ...figures[id]!, interval };
  });
  return {
    ...figures,
    fieldsPerSecond: {
      value: run.wallMs === null || run.wallMs <= 0 ? null : (fields * 1000) / run.wallMs,
      n: rows.length,
    },
    tokenEfficiency: {
      value: tokens.value ? fieldsOfMetered(rows) / tokens.value : null,
      n: tokens.n,
    },
  };
}

/** Predicted fields of the answers whose tokens are known. */
function fieldsOfMetered(rows: readonly ScoreRow[]): number {
  const metered = rows.filter((row) => row.call.outputTokens !== null);
  return metered.reduce((sum, row) => sum + fieldCounts(row).predicted, 0);
}

function latencyIntervals(rows: readonly ScoreRow[], numbers: SampleNumbers, runId: string) {
  const unitOf = new Map(numbers.ids.map((id, i) => [id, numbers.units[i]!]));
  const values = rows.flatMap(({ id, call }) =>
    call.latencyMs === null ? [] : [{ value: call.latencyMs, unit: unitOf.get(id)! }],
  );
  const units = new Set(numbers.units).size;
  return bootstrapPercentiles(values, units, Object.values(latencyShares), runId);
}

function estimate(id: string, figure: Figure, coverage: number): Estimate {
  const { value, interval = null, n } = figure;
  const grade = gradeOf(id, value);
  return { value, interval, n, coverage, ...(grade !== undefined && { grade }) };
}
