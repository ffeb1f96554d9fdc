import type { Comparison } from "../../contracts/comparison.ts";
import type { Estimate, Metric } from "../../contracts/metric.ts";
import { paretoFrontier } from "../../stats/pareto-frontier.ts";
import { commonSamples } from "./common-samples.ts";
import { compareMetric, type ScoredRun } from "./compare-metric.ts";

/** A run as a comparison takes it. */
export interface ComparedRun extends ScoredRun {
  metrics: Readonly<Record<string, Estimate>>;
}

/** What of a suite's catalogue a comparison reads. */
export interface ComparedMetrics {
  headline: string;
  /** Metrics that have a value for every sample, the headline among them. */
  bySample: readonly Pick<Metric, "id" | "better">[];
  /** Metrics of whole runs by which the best is named. */
  byRun: readonly Pick<Metric, "id" | "better">[];
}

type Compared = Pick<Comparison, "metrics" | "frontiers" | "bestBy" | "differing"> & {
  runs: { run: string; samples: number; leftOut: number }[];
};

/** Metrics of latency and cost, the same in every suite. */
const latencyMetric = "latencyP95";
const costMetric = "costPer1kUsd";
/** Samples listed as those on which runs differ most. */
const DIFFERING = 20;

/**
 * Compares runs of one suite, dataset version and scoring version: every metric sample by sample, the
 * frontiers of accuracy against latency and cost, the best by each metric, and the samples on which
 * headline scores lie furthest apart. The same runs in the same order give the same bytes.
 * Source: specification of statistics.
 * @example compareRuns([a, b], metrics, "run-a,run-b").metrics[0]?.pairs
 */
export function compareRuns(
  runs: readonly ComparedRun[],
  { headline, bySample, byRun }: ComparedMetrics,
  seed: string,
): Compared {
  const common = commonSamples(
    runs.map(({ scores }) => scores),
    headline,
  );
  return {
    runs: runs.map(({ run, scores }) => ({
      ...{ run, samples: scores.ids.length },
      leftOut: scores.ids.length - common.ids.length,
    })),
    metrics: bySample.flatMap((metric) => compareMetric(runs, metric, seed) ?? []),
    frontiers: {
      latency: frontier(runs, headline, latencyMetric),
      cost: frontier(runs, headline, costMetric),
    },
    bestBy: byRun.flatMap((metric) => best(runs, metric)),
    differing: differing(common.ids, common.scores),
  };
}

const figureOf = ({ metrics }: ComparedRun, metric: string) => metrics[metric]?.value ?? null;

/** The runs that none beats on both; null where no run knows both figures. */
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

function best(runs: readonly ComparedRun[], { id, better }: Pick<Metric, "id" | "better">) {
  const known = runs.flatMap((run) => {
    const value = figureOf(run, id);
    return value === null ? [] : [{ run: run.run, value }];
  });
  if (known.length === 0) return [];
  const values = known.map(({ value }) => value);
  const value = better === "higher" ? Math.max(...values) : Math.min(...values);
  return [
    { metric: id, value, runs: known.filter((one) => one.value === value).map(({ run }) => run) },
  ];
}

function differing(ids: readonly string[], scores: readonly number[][]): Comparison["differing"] {
  return ids
    .map((id, i) => ({ id, scores: scores.map((run) => run[i]!) }))
    .map((one) => ({ ...one, spread: Math.max(...one.scores) - Math.min(...one.scores) }))
    .filter(({ spread }) => spread > 0)
    .sort((a, b) => b.spread - a.spread || (a.id < b.id ? -1 : 1))
    .slice(0, DIFFERING)
    .map(({ id, scores: its }) => ({ id, scores: its }));
}
