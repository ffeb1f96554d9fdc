import { unjudgedReasons } from "../../../contracts/judging/judgment.ts";
import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { judgeRows, judgingEstimates, panelRows } from "../../../measures/judging/judge-tables.ts";
import { type RunBasis, runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  noEstimate,
  partFigures,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { noSums, sumOf } from "../../../stats/sums/compensated-sum.ts";
import { slotsMetrics } from "../metrics.ts";
import type { SlotsOptions } from "../options.ts";
import type { SlotsBreakdown } from "./breakdown.ts";
import {
  judgeCount,
  runStatistics,
  type SlotsState,
  slotStatistics,
  topicStatistics,
} from "./state.ts";

/**
 * The summary of a run: every metric of the catalogue, with intervals over users if sessions share users, and
 * the figures by topic, user and session; for a judged run also the figures of its judges.
 * Source: docs/spec/slots.md, metrics; docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, run).metrics["f1"] // { value, interval, n, coverage }
 */
export function summarize(state: SlotsState, run: RunFacts<SlotsOptions>): Summary {
  const basis = runBasis(state.run, run.options.repeats);
  const figures = runFigures(state.run, basis, runStatistics, slotsMetrics, run);
  const measured: Record<string, Estimate> = {
    ...figures,
    ...latencies(state.run, basis),
    ...judgingEstimates(judgedRun(state), basis.samples),
    ...judgeEstimates(state.run, figures["judgeScore"] ?? noEstimate),
  };
  return {
    metrics: estimatesOf(slotsMetrics, measured),
    breakdown: breakdownOf(state, basis, run.runId),
  };
}

/** Figures that are counts. */
const totals = [
  ...slotsMetrics.flatMap(({ id, unit }) => (unit === "count" ? id : [])),
  "expectedSlots",
];

/** Figures of parts; counts are per repeat, as in the run's figures. */
const ofOneRepeat = (
  statistics: typeof slotStatistics,
  { samples, answers }: RunBasis,
): typeof slotStatistics =>
  Object.fromEntries(
    Object.entries(statistics).map(([id, figure]) => [
      id,
      totals.includes(id) ? (sums) => (figure(sums)! * samples) / answers : figure,
    ]),
  );

/** The run with its judges as parts. */
const judgedRun = ({ run, judges }: SlotsState): RunState => ({ ...run, parts: judges });

/** Coverage of judged sessions, and unjudged slots. */
function judgeEstimates(
  { counts, answers }: RunState,
  score: Estimate,
): Record<"judgeScore" | "unjudgedRate", Estimate> {
  const count = (name: string) => counts[`${judgeCount}${name}`] ?? 0;
  const whole = answers.scored + answers.unscored;
  const [n, wanted, stored] = [count("sessions"), count("wanted"), count("stored")];
  const unjudged = unjudgedRows(counts).reduce((sum, row) => sum + row.count, 0);
  return {
    judgeScore: n === 0 ? noEstimate : { ...score, n, coverage: count("covered") / whole },
    unjudgedRate:
      stored === 0
        ? noEstimate
        : { value: unjudged / stored, interval: null, n: wanted, coverage: wanted / whole },
  };
}

function unjudgedRows(counts: RunState["counts"]): SlotsBreakdown["unjudged"] {
  const stored = counts[`${judgeCount}stored`] ?? 0;
  return unjudgedReasons.flatMap((reason) => {
    const count = counts[`${judgeCount}unjudged ${reason}`] ?? 0;
    return count === 0 ? [] : [{ reason, count, share: count / stored }];
  });
}

/** Latencies of answered requests: their sum, and the percentile as computed by the suite's source. */
function latencies({ rows, blocks, answers }: RunState, { distributions }: RunBasis) {
  const { n, percentile } = distributions.latency;
  const estimate = (value: number | null): Estimate => ({
    value,
    interval: null,
    n,
    coverage: n / Math.max(1, answers.scored + answers.unscored),
  });
  const rank = Math.max(Math.floor(0.95 * n) - 1, 0);
  const times = rows.flatMap(({ latencyMs }) => latencyMs ?? []);
  // Not mean · n, because its last digits would differ.
  const total =
    blocks === null
      ? times.reduce((sum, time) => sum + time, 0)
      : sumOf(blocks.times.latency?.sum ?? noSums());
  const p95Source =
    blocks === null
      ? (times.sort((a, b) => a - b)[rank] ?? null)
      : percentile(n < 2 ? 0 : rank / (n - 1));
  return {
    latencyTotal: estimate(n === 0 ? null : total),
    p95Source: estimate(p95Source),
  };
}

function breakdownOf(state: SlotsState, basis: RunBasis, seed: string) {
  const { run } = state;
  const parts = (family: string, statistics = slotStatistics) =>
    partFigures(run, family, ofOneRepeat(statistics, basis), seed, totals);
  const counts = Object.entries(run.counts).filter(([name]) => !name.startsWith(judgeCount));
  const judged = judgedRun(state);
  const breakdown: SlotsBreakdown = {
    ...shownBasis(basis, run.answers.unscored),
    counts: Object.fromEntries(counts),
    topics: byF1(parts("topic", topicStatistics)),
    users: parts("tag user"),
    sessions: parts("tag session"),
    tags: tagParts(run, ofOneRepeat(slotStatistics, basis), seed, ["user", "session"], totals),
    judges: judgeRows(judged, seed, [slotAccuracy.id]),
    panels: panelRows(judged, seed, [slotAccuracy.id]),
    unjudged: unjudgedRows(run.counts),
    crowded: [...crowdedFamilies(run), ...crowdedFamilies(judged)],
  };
  return breakdown;
}

/** Easiest first. */
function byF1(parts: ReturnType<typeof partFigures>): SlotsBreakdown["topics"] {
  const f1 = ({ figures }: (typeof parts)[number]) => figures["f1"]?.value ?? 0;
  return parts.sort((a, b) => f1(b) - f1(a) || (a.name < b.name ? -1 : 1));
}
