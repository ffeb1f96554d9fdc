import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { contentHash, textHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Run } from "#shared/contracts/run.ts";
import {
  type PlannedResult,
  type PlannedTest,
  plannedTestSchema,
} from "#shared/contracts/submissions/planned-test.ts";
import { compareMetric } from "#shared/measures/comparison/compare-metric.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { changesOf, differingSamples } from "#shared/measures/gates/gated-runs.ts";
import { nonInferiority } from "#shared/measures/gates/non-inferiority.ts";
import { mayRead, type Reader } from "../keys/account.ts";
import { compareMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { isReadableBy } from "../runs/access.ts";
import { keepAbout } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { runView } from "../runs/view.ts";
import { INLINE_SAMPLES, readScores, STATISTICS, samplesOf, whyNot } from "./compare.ts";

/** The same minimum as in gates. */
const MIN_SAMPLE_SHARE = 0.95;

/** The test that was planned with a run; undefined if there is none. */
const plannedOf = ({ options }: Pick<RunRecord, "options">): PlannedTest | undefined =>
  plannedTestSchema.safeParse(options["plannedTest"]).data;

/**
 * A finished run with the result of its planned test; other runs unchanged. `isWaiting`: computes even a large
 * comparison at once, as only a queue consumer may.
 */
export async function withPlannedTest(
  platform: Platform,
  record: RunRecord,
  run: Run,
  reader: Reader,
  isWaiting = false,
): Promise<Run> {
  const test = plannedOf(record);
  if (test === undefined || record.status !== "finished") return run;
  const [base, { parity, ...tests }] = await Promise.all([
    platform.runs.get(test.against),
    platform.runs.testsAgainst(test.against, record),
  ]);
  const known = { tests, retries: record.retries.length };
  // The owner of a private run sees its test against another private run; the holder of a link does not.
  const isOwners = record.visibility === "private" && mayRead(reader, record.owner);
  const owner = isOwners ? record.owner : "";
  if (base === null || !isReadableBy(base, { owner, anyOwner: false })) {
    const note = `not possible: run ${test.against} was withdrawn`;
    return { ...run, plannedResult: { result: null, note, changes: [], ...known } };
  }
  const changes = changesOf(runView(base, 0), run);
  const found = await resultOf(platform, { base, run: record, test }, isWaiting);
  const inParity = parity === null ? {} : { parity };
  const plannedResult = found.ok
    ? { result: found.value, note: null, changes, ...known, ...inParity }
    : { result: null, note: found.error, changes, ...known, ...inParity };
  return { ...run, plannedResult };
}

/** Queue work: computes the test of a pair of runs if it was planned with one of them. */
export async function testPlannedInQueue(
  platform: Platform,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const run = await platform.runs.get(id);
    if (run === null || !ids.includes(plannedOf(run)?.against ?? "")) continue;
    await withPlannedTest(
      platform,
      run,
      runView(run, 0),
      { owner: run.owner, anyOwner: false },
      true,
    );
  }
}

interface Pair {
  base: RunRecord;
  run: RunRecord;
  test: PlannedTest;
}

type Found = NonNullable<PlannedResult["result"]>;

/**
 * The result of a test, or the reason why there is none. Ended runs never change, so it is computed once and stored.
 */
async function resultOf(
  platform: Platform,
  pair: Pair,
  isWaiting: boolean,
): Promise<Result<Found, string>> {
  const { base, run, test } = pair;
  const runs = [base, run];
  if (base.status !== "finished") return err(`not yet: run ${base.id} is ${base.status}`);
  const differing = incomparable(base, run);
  if (differing.length > 0) return err(`not possible: the runs differ in ${differing.join("; ")}`);
  const problem = whyNot(platform, runs, "size");
  if (problem !== null) return err(`not possible: ${problem.detail}`);
  const ends = runs.map(({ id, finishedAt }) => [id, finishedAt]);
  const key = `compared/${contentHash([STATISTICS, test.metric, test.margin, ...ends])}.json`;
  const kept = await platform.objects.get<Found>(key);
  if (kept !== null) return ok(kept);
  if (samplesOf(runs) > INLINE_SAMPLES && !isWaiting) {
    await platform.queues.finish(compareMessage(runs.map(({ id }) => id)));
    return err("not yet: it is being computed; look again in a minute");
  }
  const found = await workOut(platform, pair);
  if (found === null) return err(`not possible: no sample has a value of ${test.metric} in both`);
  await keepAbout(platform.objects, runs, key, found);
  return ok(found);
}

/** Differences in samples, repeats or scoring that make a test between two runs meaningless. */
export function incomparable(
  base: RunRecord,
  run: Pick<
    RunRecord,
    "suite" | "datasetVersion" | "datasetSamples" | "options" | "scoringVersion"
  >,
): string[] {
  const [one, other] = [base, run].map(({ suite, datasetVersion, datasetSamples, options }) => ({
    suite,
    options,
    dataset: { name: "", version: datasetVersion, samples: datasetSamples },
  }));
  const differing = differingSamples(one!, other!);
  if (base.scoringVersion === run.scoringVersion) return differing;
  return [...differing, `scoring version (${base.scoringVersion}, ${run.scoringVersion})`];
}

/** Tests the run like a gate tests it against a baseline. */
async function workOut(platform: Platform, { base, run, test }: Pair): Promise<Found | null> {
  const known = platform.suites.byId(run.suite);
  if (known === undefined) throw new Error(`suite ${run.suite} is not registered`);
  const { table, metrics } = await readScores(platform, [base, run]);
  const suite = { ...suiteFor(known, run.options), headline: run.headline };
  const metric = comparedMetrics(suite, metrics).bySample.find(({ id }) => id === test.metric);
  const compared = metric && compareMetric(table, metric, textHash([base.id, run.id].join("\n")));
  if (metric === undefined || !compared) return null;
  const outcome = nonInferiority(table, metric, compared, {
    base: base.id,
    tested: run.id,
    margin: test.margin,
    minSampleShare: MIN_SAMPLE_SHARE,
    samples: Math.max(...table.runs.map(({ samples }) => samples)),
  });
  const { difference, samples, verdict } = outcome;
  return {
    base: outcome.base,
    tested: outcome.tested,
    difference: difference.value,
    interval: difference.interval && [...difference.interval],
    samples,
    verdict,
  };
}
