import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { type ComparableRun, runDifferences } from "#shared/contracts/boards/run-differences.ts";
import { contentHash } from "#shared/contracts/content-hash.ts";
import { ownMetrics } from "#shared/contracts/judging/own-metrics.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import { compareRuns } from "#shared/measures/comparison/compare-runs.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { addRun, type ScoreTable, scoreTable } from "#shared/measures/comparison/score-table.ts";
import type { Account } from "../keys/account.ts";
import { compareMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { comparisonFor, readableRun } from "../runs/access.ts";
import { keepAbout, type SummedRun, scoresKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { provenanceOf } from "../runs/view.ts";

/** Total number of samples for which a request compares runs itself; larger comparisons use the queue. */
export const INLINE_SAMPLES = 10_000;

export type ComparisonProblem =
  | { type: "not-found" | "not-ready" | "conflict"; detail: string }
  | { type: "not-comparable" | "invalid-request"; detail: string; errors: FieldError[] };

/**
 * The comparison of runs that the caller may read; null while the queue computes it. Ended runs never change, so it is
 * computed once and stored.
 */
export async function compare(
  platform: Platform,
  account: Account | null,
  ids: readonly string[],
): Promise<Result<Comparison | null, ComparisonProblem>> {
  const found = await Promise.all(ids.map((id) => readableRun(platform, account, id)));
  const missing = found.find((run) => !run.ok);
  if (missing && !missing.ok) return missing;
  const runs = found.flatMap((run) => (run.ok ? [run.value] : []));
  const compared = await comparisonOf(platform, runs);
  if (!compared.ok || compared.value === null) return compared;
  return ok(comparisonFor(account, runs, compared.value));
}

/**
 * The comparison of runs that were read already. `isWaiting`: computes even a large comparison at once, as only a queue
 * consumer may.
 */
export async function comparisonOf(
  platform: Platform,
  runs: readonly RunRecord[],
  isWaiting = false,
): Promise<Result<Comparison | null, ComparisonProblem>> {
  const problem = whyNot(platform, runs);
  if (problem !== null) return err(problem);
  const kept = await platform.objects.get<Comparison>(comparisonKey(runs));
  if (kept !== null) return ok(kept);
  if (samplesOf(runs) > INLINE_SAMPLES && !isWaiting) {
    await platform.queues.finish(compareMessage(runs.map((run) => run.id)));
    return ok(null);
  }
  return ok(await keep(platform, runs));
}

/** Computes a comparison for a request that used the queue. Ignores runs that were deleted since. */
export async function compareInQueue(platform: Platform, ids: readonly string[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => platform.runs.get(id)));
  const runs = found.filter((run) => run !== null && run.deletedAt === null) as RunRecord[];
  if (runs.length === ids.length) await comparisonOf(platform, runs, true);
}

async function keep(platform: Platform, runs: readonly RunRecord[]): Promise<Comparison> {
  const comparison = await workOutComparison(platform, runs);
  await keepAbout(platform.objects, runs, comparisonKey(runs), comparison);
  return comparison;
}

/**
 * Why runs can't be compared; null if they can. `judgings`: their scoring may differ; `size`: only check their size.
 */
export function whyNot(
  { settings }: Platform,
  runs: readonly RunToCompare[],
  what: "runs" | "judgings" | "size" = "runs",
): ComparisonProblem | null {
  const open = runs.find((run) => run.status !== "finished");
  if (open) {
    const detail = `run "${open.id}" is ${open.status}; only finished runs can be compared`;
    const isOver = open.status === "cancelled" || open.status === "failed";
    return { type: isOver ? "conflict" : "not-ready", detail };
  }
  const differences = what === "size" ? [] : runDifferences(runs, what === "judgings");
  const errors = differences.map((detail) => ({ parameter: "runs", detail }));
  if (errors.length > 0) {
    const detail =
      "compare runs of one suite, dataset version, scoring version and prompt, over the same samples";
    return { type: "not-comparable", detail, errors };
  }
  const samples = samplesOf(runs);
  const most = settings.plan.comparedSamples;
  if (samples <= most) return null;
  const detail = `the runs have ${samples} samples in total, and at most ${most} can be compared here; give fewer runs, or compare their answers with \`assay compare\``;
  return { type: "invalid-request", detail, errors: [{ parameter: "runs", detail }] };
}

export const samplesOf = (runs: readonly Pick<RunRecord, "total">[]) =>
  runs.reduce((sum, run) => sum + run.total, 0);

/** Version of intervals and tests: comparisons of an earlier version are computed again. */
export const STATISTICS = 4;

/** A retried run has another end, so it gets another comparison. */
const comparisonKey = (runs: readonly RunRecord[]) =>
  `compared/${contentHash([STATISTICS, ...runs.map(({ id, finishedAt }) => [id, finishedAt])])}.json`;

async function workOutComparison(
  platform: Platform,
  runs: readonly RunRecord[],
): Promise<Comparison> {
  const [first] = runs;
  const known = platform.suites.byId(first?.suite ?? "");
  if (!first || !known) throw new Error(`suite ${first?.suite} is not registered`);
  const suite = suiteFor(known, first.options);
  const own = ownMetrics(first.judging);
  const { table, metrics } = await readScores(platform, runs);
  const seed = runs.map((run) => run.id).join();
  const figures = runs.map((run) => run.metrics ?? {});
  // Runs with different ranking metrics are compared by the suite's metric.
  const isOne = runs.every(({ headline }) => headline === first.headline);
  const ranking = { ...suite, headline: isOne ? first.headline : suite.headline };
  const compared = compareRuns(table, figures, comparedMetrics(ranking, metrics), seed);
  return {
    suite: first.suite,
    dataset: { name: first.datasetName, version: first.datasetVersion },
    scoringVersion: first.scoringVersion,
    ...(own.length > 0 && { ownMetrics: own }),
    ...compared,
    runs: runs.map((run, i) => ({
      run: run.id,
      model: run.model,
      provenance: provenanceOf(run),
      headline: run.metrics?.[run.headline] ?? { value: null, interval: null, n: 0, coverage: 0 },
      samples: compared.runs[i]?.samples ?? 0,
      leftOut: compared.runs[i]?.leftOut ?? 0,
    })),
  };
}

/** The fields of a run that determine whether it is comparable with others. */
type RunToCompare = ComparableRun & Pick<RunRecord, "status" | "total">;

/**
 * Scores of runs by sample, and the metrics that all runs have. Reads one run at a time, because memory holds only the
 * table.
 */
export async function readScores(
  platform: Platform,
  runs: readonly SummedRun[],
): Promise<ReadScores> {
  let read: ReadScores | null = null;
  for (const run of runs) read = await withRun(platform, read, run);
  if (read === null) throw new Error("no runs to compare");
  return read;
}

interface ReadScores {
  table: ScoreTable;
  metrics: string[];
}

/** A function of its own, so that a run's scores are garbage before the next ones are read. */
async function withRun(
  { objects }: Platform,
  read: ReadScores | null,
  run: SummedRun,
): Promise<ReadScores> {
  const scores = await objects.get<RunScores>(scoresKey(run));
  if (scores === null) throw new Error(`run ${run.id} has no scores by sample`);
  const { table, metrics } = read ?? {
    table: scoreTable(scores),
    metrics: Object.keys(scores.values),
  };
  addRun(table, run.id, scores, { metrics });
  return { table, metrics };
}
