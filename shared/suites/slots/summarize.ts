import type { Estimate } from "../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../contracts/suite.ts";
import { type RunBasis, runBasis } from "../../measures/run-sums/run-basis.ts";
import { crowdedFamilies, partFigures, runFigures } from "../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../measures/run-sums/run-state.ts";
import { exactValue } from "../../stats/exact-sum.ts";
import type { SlotsBreakdown } from "./breakdown.ts";
import { runStatistics, slotStatistics, topicStatistics } from "./columns.ts";
import { slotsMetrics } from "./metrics.ts";
import type { SlotsOptions } from "./options.ts";

/**
 * The summary of a run: every metric of the catalogue, with intervals over users where sessions share
 * them, and the figures by topic, user and session.
 * Source: specification of the slots suite, metrics; of statistics, bootstrap interval.
 * @example summarize(state, run).metrics["f1"] // { value, interval, n, coverage }
 */
export function summarize(state: RunState, run: RunFacts<SlotsOptions>): Summary {
  const basis = runBasis(state, 1);
  const measured: Record<string, Estimate> = {
    ...runFigures(state, basis, runStatistics, run),
    ...latencies(state, basis),
  };
  const none: Estimate = { value: null, interval: null, n: 0, coverage: 0 };
  const metrics = Object.fromEntries(slotsMetrics.map(({ id }) => [id, measured[id] ?? none]));
  return { metrics, breakdown: breakdownOf(state, basis, run.runId) };
}

/** Of the answered requests: their sum, and the percentile as the suite's source takes it. */
function latencies({ rows, blocks, answers }: RunState, { durations }: RunBasis) {
  const { n, percentile } = durations.latency;
  const estimate = (value: number | null): Estimate => ({
    ...{ value, interval: null, n, coverage: n / Math.max(1, answers.scored + answers.unscored) },
  });
  const rank = Math.max(Math.floor(0.95 * n) - 1, 0);
  const times = Object.values(rows).flatMap(({ latencyMs }) => latencyMs ?? []);
  // Not the mean · n, which is off in the last digits.
  const total =
    blocks === null
      ? times.reduce((sum, time) => sum + time, 0)
      : exactValue(blocks.times.latency.sum);
  const p95Source =
    blocks === null
      ? (times.sort((a, b) => a - b)[rank] ?? null)
      : percentile(n < 2 ? 0 : rank / (n - 1));
  return {
    latencyTotal: estimate(n === 0 ? null : total),
    p95Source: estimate(p95Source),
  };
}

function breakdownOf(state: RunState, { samples, answers, units }: RunBasis, seed: string) {
  const parts = (family: string, statistics = slotStatistics) =>
    partFigures(state, family, statistics, seed);
  const breakdown: SlotsBreakdown = {
    ...{ samples, answers, unscored: state.answers.unscored },
    units: { kind: units.kind, count: units.count },
    counts: state.counts,
    topics: byF1(parts("topic", topicStatistics)),
    users: parts("tag user"),
    sessions: parts("tag session"),
    crowded: crowdedFamilies(state),
  };
  return breakdown;
}

/** Easiest first. */
function byF1(parts: ReturnType<typeof partFigures>): SlotsBreakdown["topics"] {
  const f1 = ({ figures }: (typeof parts)[number]) => figures["f1"]?.value ?? 0;
  return parts.sort((a, b) => f1(b) - f1(a) || (a.name < b.name ? -1 : 1));
}
