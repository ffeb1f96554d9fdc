import { scales } from "../../../contracts/judging/judge.ts";
import type { Estimate } from "../../../contracts/metric.ts";
import type { RunFacts, Summary } from "../../../contracts/suite.ts";
import { judges } from "../../../judges/judges.ts";
import { claimSources } from "../../../judges/metrics/groundedness.ts";
import {
  judgedBy,
  judgeRows,
  judgingEstimates,
  panelRows,
  unjudgedRows,
} from "../../../measures/judging/judge-tables.ts";
import { answerSums, type NamedSums, namedSums } from "../../../measures/run-sums/named-sums.ts";
import { type RunBasis, runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import {
  crowdedFamilies,
  estimatesOf,
  noEstimate,
  runFigures,
  tagParts,
} from "../../../measures/run-sums/run-figures.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { spreadOf } from "../../../stats/sums/percentile.ts";
import { spreadValues } from "../../../stats/sums/unit-spread.ts";
import { memoryMetrics } from "../metrics.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemoryBreakdown } from "./breakdown.ts";
import { at, type MemoryState, partStatistics, runStatistics } from "./state.ts";

/**
 * The summary of a run: every metric of the catalogue with its interval and the number of judged samples, and the
 * tables of scores, judges, keys, claims and other counts of judges. A metric's coverage is the share of answers with
 * its judgment; the headline's coverage is the share of answered and scored samples.
 * Source: docs/spec/memory.md, the twelve metrics; docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, run).metrics["mcs"] // { value, interval, n, coverage }
 */
export function summarize(state: MemoryState, run: RunFacts<MemoryOptions>): Summary {
  const { repeats } = run.options;
  const judged = judgedRun(state);
  const basis = runBasis(state.run, repeats, { measuredBy: judgedBy(at, "mcs") });
  const perSample = namedSums(basis.columns, at);
  const total = answerSums(state.run, basis, at, repeats);
  const answers = Math.max(1, total("answers"));
  const judging = judgingEstimates(judged, basis.samples);
  const isMetered = judging["judgeRequests"]?.value !== null;
  const measured = {
    ...runFigures(state.run, basis, runStatistics, memoryMetrics, run),
    ...judging,
    ...totalEstimates(total, basis.samples, isMetered),
  };
  const metrics = estimatesOf(memoryMetrics, measured);
  if (!isMetered) metrics["evaluationTimeMean"] = noEstimate;
  const rest = (id: string, counted: string, covered = counted) => {
    const n = Math.round(perSample(counted));
    const { value, interval } = metrics[id]!;
    // With one judged sample, every resample has the same value.
    const ends = n < 2 ? null : interval;
    metrics[id] = { value, interval: ends, n, coverage: total(covered) / answers };
  };
  rest("mcs", "scored", "coveredScored");
  rest("generationTimeMean", "timed");
  for (const { id, figures } of judges) {
    for (const { metric } of figures) rest(metric.id, `${id}.judged`);
  }
  return { metrics, breakdown: breakdownOf(state, basis, total, run.runId) };
}

const metricIds = judges.map(({ id }) => id);

/** The run with its judges as parts. */
const judgedRun = ({ run, judges: parts }: MemoryState): RunState => ({ ...run, parts });

function breakdownOf(
  state: MemoryState,
  basis: RunBasis,
  total: NamedSums,
  runId: string,
): MemoryBreakdown {
  const { run } = state;
  const judged = judgedRun(state);
  const sum: NamedSums = (name) => Math.round(total(name));
  const { answers } = basis;
  const part = (name: string) => sum(`groundedness.${name}`);
  return {
    ...shownBasis(basis, answers - sum("scored")),
    counts: Object.fromEntries(
      Object.entries(run.counts).filter(([name]) => /^(status|truncated|stage)/.test(name)),
    ),
    scores: judges.map((_, k) => scoreRow(state, basis, sum, k)),
    unjudged: unjudgedRows(run.counts, answers, metricIds),
    judges: judgeRows(judged, runId, metricIds),
    panels: panelRows(judged, runId, metricIds),
    keys: {
      tp: sum("memory_utilization.tp"),
      fp: sum("memory_utilization.fp"),
      fn: sum("memory_utilization.fn"),
    },
    claims: {
      claims: part("claims"),
      sources: Object.fromEntries(
        claimSources.map((source) => [source, part(source)]),
      ) as MemoryBreakdown["claims"]["sources"],
    },
    totals: totalRows(sum),
    labels: labelRows(run),
    tags: tagParts(run, partStatistics, runId),
    crowded: [...crowdedFamilies(run), ...crowdedFamilies(judged)],
  };
}

/** Spread of a metric over samples, whose judged repeats are averaged; for a run kept as blocks, over answers. */
function scoreRow(
  { run, spreads }: MemoryState,
  { values, answers }: RunBasis,
  sum: NamedSums,
  k: number,
): MemoryBreakdown["scores"][number] {
  const { id, label, scale } = judges[k]!;
  const [low, high] = scales[scale];
  const [valueAt, judgedAt] = [at[`${id}.value`]!, at[`${id}.judged`]!];
  const known =
    values?.flatMap((row) => (row[judgedAt]! > 0 ? [row[valueAt]! / row[judgedAt]!] : [])) ??
    spreadValues(spreads[k]!).map((share) => low + share * (high - low));
  const judged = sum(`${id}.judged`);
  return {
    metric: id,
    label,
    scale,
    judged,
    unjudged: answers - judged,
    coverage: answers === 0 ? null : judged / answers,
    ...spreadOf(known),
    levels: [0, 1, 2, 3, 4].map((index) => run.counts[`level ${id} ${index}`] ?? 0),
    unsupportedEvidence: sum(`${id}.unsupported`),
  };
}

function totalRows(sum: NamedSums): MemoryBreakdown["totals"] {
  return judges.flatMap(({ id: metric, numbers }) => {
    const judged = sum(`${metric}.judged`);
    if (judged === 0) return [];
    return numbers.whole.map((name) => {
      const total = sum(`${metric}.${name}`);
      return { metric, name, total, perSample: total / judged };
    });
  });
}

function labelRows({ counts }: RunState): MemoryBreakdown["labels"] {
  return judges.flatMap(({ id: metric, labels }) =>
    Object.entries(labels).flatMap(([name, words]) => {
      const found = words.map((label) => counts[`label ${metric} ${name} ${label}`] ?? 0);
      const total = found.reduce((a, b) => a + b, 0);
      if (total === 0) return [];
      return words.map((label, i) => {
        const count = found[i]!;
        return { metric, name, label, count, share: count / total };
      });
    }),
  );
}

/**
 * Times of generation and judging, in ms, the unjudged share, and invented quotations, by metric id. `sum` is over
 * answers; `samples` is the denominator of shares; `isMetered` says whether calls of judges are known.
 * Source: docs/spec/memory.md, judges.
 * @example totalEstimates(sum, 40, true)["evaluationTime"]?.value
 */
function totalEstimates(
  sum: NamedSums,
  samples: number,
  isMetered: boolean,
): Record<string, Estimate> {
  const answers = sum("answers");
  const judging = sum("judgingMs");
  const known = (value: number, n: number, whole: number): Estimate => ({
    value: n === 0 ? null : value,
    interval: null,
    n,
    coverage: n === 0 ? 0 : n / whole,
  });
  const judged = isMetered ? answers : 0;
  const timed = sum("timed");
  const over = (column: string) => judges.reduce((all, { id }) => all + sum(`${id}.${column}`), 0);
  return {
    generationTime: known(sum("generatingMs"), timed, answers),
    evaluationTime: known(judging, judged, answers),
    totalTime: known(sum("generatingMs") + judging, timed || judged, answers),
    unjudgedRate: known(1 - over("judged") / (answers * judges.length), samples, samples),
    unsupportedEvidence: known(over("unsupported"), samples, samples),
  };
}
