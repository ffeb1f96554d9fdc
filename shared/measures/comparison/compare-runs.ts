import type { Comparison } from "../../contracts/boards/comparison.ts";
import type { Estimate, Metric } from "../../contracts/metric.ts";
import { paretoFrontier } from "../../stats/pareto-frontier.ts";
import { type CommonSamples, commonSamples, scoreAt } from "./common-samples.ts";
import { compareMetric } from "./compare-metric.ts";
import type { ScoreTable } from "./score-table.ts";
import type { RankingMetric } from "./standings.ts";

/** The parts of a suite's catalogue that a comparison uses. */
export interface ComparedMetrics {
  headline: string;
  /** Metrics with a value for every sample, including the headline. */
  bySample: readonly RankingMetric[];
  /** Metrics of whole runs for which the best run is named. */
  byRun: readonly Pick<Metric, "id" | "better">[];
}

/** The figures of each whole run, in the order of the table's runs. */
export type RunFigures = Readonly<Record<string, Estimate>>;

type Compared = Pick<Comparison, "metrics" | "frontiers" | "bestBy" | "differing"> & {
  runs: { run: string; samples: number; leftOut: number }[];
};

/** Metrics of latency and cost, which every suite has. */
const latencyMetric = "latencyP95";
const costMetric = "costPer1kUsd";
/** Number of samples listed with the largest differences. */
const DIFFERING = 20;

/**
 * Compares runs of one suite, dataset version and scoring version: every metric by sample, the frontiers of accuracy
 * against latency and cost, the best run by each metric, and the samples with the largest differences in headline
 * score. `compare`: `compareMetric`, or `rankMetric` for many runs. The same runs in the same order give the same bytes.
 * Source: docs/spec/statistics.md.
 * @example compareRuns(table, figures, metrics, "run-a,run-b").metrics[0]?.pairs
 */
export function compareRuns(
  table: ScoreTable,
  figures: readonly RunFigures[],
  { headline, bySample, byRun }: ComparedMetrics,
  seed: string,
  compare: typeof compareMetric = compareMetric,
): Compared {
  const composite = bySample.find(({ id }) => id === headline)?.composite;
  const common = commonSamples(table, headline, composite?.parts);
  const runs = table.runs.map(({ run }, i) => ({ run, metrics: figures[i] ?? {} }));
  return {
    runs: table.runs.map(({ run, samples }) => ({
      run,
      samples,
      leftOut: samples - common.ids.length,
    })),
    metrics: bySample.flatMap((metric) => compare(table, metric, seed) ?? []),
    frontiers: {
      latency: frontier(runs, headline, latencyMetric),
      cost: frontier(runs, headline, costMetric),
    },
    bestBy: [
      ...byRun.flatMap(({ id, better }) => best(runs, id, better, (run) => figureOf(run, id))),
      ...best(runs, `${headline}PerCost`, "higher", (run) => perCost(run, headline)),
    ],
    differing: differing(common),
  };
}

/** A run with the figures of the whole run. */
interface ComparedRun {
  run: string;
  metrics: RunFigures;
}

const figureOf = ({ metrics }: ComparedRun, metric: string) => metrics[metric]?.value ?? null;

/** The runs that no other dominates; null if no run has both figures. */
function frontier(runs: readonly ComparedRun[], gain: string, cost: string): string[] | null {
  const known = runs.flatMap((run) => {
    const trade = { gain: figureOf(run, gain), cost: figureOf(run, cost) };
    return trade.gain === null || trade.cost === null
      ? []
      : [{ run: run.run, trade: { gain: trade.gain, cost: trade.cost } }];
  });
  if (known.length === 0) return null;
  const isOn = paretoFrontier(known.map(({ trade }) => trade));
  return known.flatMap(({ run }, i) => (isOn[i] ? [run] : []));
}

/** Headline per USD of 1,000 answers; null if either is unknown or the cost is zero. */
function perCost(run: ComparedRun, headline: string): number | null {
  const [value, cost] = [figureOf(run, headline), figureOf(run, costMetric)];
  return value === null || cost === null || cost === 0 ? null : value / cost;
}

function best(
  runs: readonly ComparedRun[],
  metric: string,
  better: Metric["better"],
  of: (run: ComparedRun) => number | null,
): Comparison["bestBy"] {
  const known = runs.flatMap((run) => {
    const value = of(run);
    return value === null ? [] : [{ run: run.run, value }];
  });
  if (known.length === 0) return [];
  const values = known.map((one) => one.value);
  const value = better === "higher" ? Math.max(...values) : Math.min(...values);
  return [
    { metric, value, runs: known.filter((one) => isEqual(one.value, value)).map(({ run }) => run) },
  ];
}

/** Differences below this are rounding error. */
const isEqual = (a: number, b: number) => Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a));

/** The samples with the largest differences in headline score; keeps only these in memory. */
function differing({ ids, columns }: CommonSamples): Comparison["differing"] {
  let most: DifferingSample[] = [];
  for (const [at, id] of ids.entries()) {
    const spread = spreadAt(columns, at);
    const last = most.at(-1);
    const isFull = most.length === DIFFERING;
    if (spread === 0 || (isFull && !isBefore(id, spread, last!))) continue;
    most = [...most, { id, at, spread }]
      .sort((a, b) => (isBefore(a.id, a.spread, b) ? -1 : 1))
      .slice(0, DIFFERING);
  }
  return most.map(({ id, at }) => ({ id, scores: columns.map((column) => scoreAt(column, at)) }));
}

interface DifferingSample {
  id: string;
  at: number;
  spread: number;
}

const isBefore = (id: string, spread: number, than: DifferingSample): boolean =>
  spread > than.spread || (spread === than.spread && id < than.id);

function spreadAt(columns: CommonSamples["columns"], at: number): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns) {
    const score = scoreAt(column, at);
    if (score < least) least = score;
    if (score > most) most = score;
  }
  return most - least;
}
