import type { Estimate } from "../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../contracts/suite.ts";
import { type PerformanceFigure, performanceFigures } from "../../measures/performance.ts";
import { bootstrap, type Interval } from "../../stats/bootstrap.ts";
import { percentileFigures } from "../../stats/percentile-figures.ts";
import { sumFigures } from "../../stats/sum-figures.ts";
import { type SampleNumbers, sampleNumbers, unitColumns } from "./columns.ts";
import { headlineFigures, sampleMeans } from "./figures.ts";
import { gradeOf } from "./grades.ts";
import { breakdownOf } from "./make-breakdown.ts";
import { extractionMetrics } from "./metrics.ts";
import type { ExtractionOptions } from "./options.ts";
import { type ExtractionState, rowsOf, type ScoreRow } from "./state.ts";
import { fieldCounts } from "./tally.ts";

/** Latencies with an interval, lowest share first. */
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
  const calls = callFigures(rows, run);
  const figures = { ...meansFigures(numbers), ...calls, ...scoreFigures(numbers) };
  const intervals = intervalsOf(rows, numbers, run.runId);
  const covered = rows.filter((row) => row.covered).length;
  const metrics = Object.fromEntries(
    extractionMetrics.map(({ id }) => {
      const coverage = (calls[id]?.n ?? covered) / Math.max(1, rows.length);
      return [id, estimate(id, figures[id]!, intervals[id] ?? null, coverage)];
    }),
  );
  return { metrics, breakdown: breakdownOf(rows, numbers, metrics) };
}

function intervalsOf(
  rows: readonly ScoreRow[],
  numbers: SampleNumbers,
  runId: string,
): Record<string, Interval | null> {
  const unitOf = new Map(numbers.ids.map((id, i) => [id, numbers.units[i]!]));
  const latencies = rows.flatMap(({ id, call }) =>
    call.latencyMs === null ? [] : [{ value: call.latencyMs, unit: unitOf.get(id)! }],
  );
  const intervals = bootstrap(new Set(numbers.units).size, runId, [
    sumFigures(unitColumns(numbers), Object.values(headlineFigures)),
    percentileFigures(latencies, Object.values(latencyShares)),
  ]);
  const ids = [...Object.keys(headlineFigures), ...Object.keys(latencyShares)];
  return Object.fromEntries(ids.map((id, k) => [id, intervals[k] ?? null]));
}

function scoreFigures(numbers: SampleNumbers): Record<string, PerformanceFigure> {
  const columns = unitColumns(numbers);
  const sums = Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0));
  const valid = numbers.samples.filter((sample) => sample.valid > 0).length;
  return Object.fromEntries(
    Object.entries(headlineFigures).map(([id, statistic]) => {
      const n = id.endsWith("OfValid") ? valid : numbers.samples.length;
      return [id, { value: statistic(sums), n }];
    }),
  );
}

function meansFigures({ samples }: SampleNumbers): Record<string, PerformanceFigure> {
  return Object.fromEntries(
    Object.entries(sampleMeans(samples)).map(([id, value]) => [id, { value, n: samples.length }]),
  );
}

function callFigures(
  rows: readonly ScoreRow[],
  { wallMs, prices }: RunFacts<ExtractionOptions>,
): Record<string, PerformanceFigure> {
  const figures = performanceFigures(
    rows.map((row) => row.call),
    wallMs,
    prices,
  );
  const fields = rows.reduce((sum, row) => sum + fieldCounts(row).predicted, 0);
  const { value: tokens, n } = figures["outputTokens"]!;
  const perSecond = wallMs === null || wallMs <= 0 ? null : (fields * 1000) / wallMs;
  return {
    ...figures,
    fieldsPerSecond: { value: rows.length === 0 ? null : perSecond, n: rows.length },
    tokenEfficiency: { value: tokens ? fieldsOfMetered(rows) / tokens : null, n },
  };
}

/** Predicted fields of the answers whose tokens are known. */
function fieldsOfMetered(rows: readonly ScoreRow[]): number {
  const metered = rows.filter((row) => row.call.outputTokens !== null);
  return metered.reduce((sum, row) => sum + fieldCounts(row).predicted, 0);
}

function estimate(
  id: string,
  { value, n }: PerformanceFigure,
  interval: Interval | null,
  coverage: number,
): Estimate {
  const grade = gradeOf(id, value);
  return { value, interval, n, coverage, ...(grade !== undefined && { grade }) };
}
