import { contentHash } from "#shared/contracts/content-hash.ts";
import type { SweepTest } from "#shared/contracts/submissions/sweep.ts";
import { comparedMetrics } from "#shared/measures/comparison/compared-metrics.ts";
import { testVariants } from "#shared/measures/sweeps/test-variants.ts";
import { sweepMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { keepAbout } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { readScores, STATISTICS, samplesOf } from "./compare.ts";

/** Maximum samples of a sweep that a request tests itself (one second of work); larger sweeps use the queue. */
export const INLINE_VARIANT_SAMPLES = 5_000;

/** Tests of one model's variants, or the reason why there are none. */
export interface SweepTests {
  tests: SweepTest[];
  untested: string | null;
}

const none = (untested: string): SweepTests => ({ tests: [], untested });

/**
 * Tests of the variants of one model that are known to be testable; null while the queue computes them. Ended runs
 * never change, so tests are computed once and stored. `isSmall`: the request computes them itself.
 */
export async function sweepTests(
  platform: Platform,
  runs: readonly RunRecord[],
  isSmall: boolean,
): Promise<SweepTests | null> {
  if (runs.length === 0) return none("no variant has scores that can be compared");
  if (runs.length === 1) return none("only one variant has scores that can be compared");
  const samples = samplesOf(runs);
  const most = platform.settings.plan.comparedSamples;
  if (samples > most) {
    return none(
      `the variants have ${samples} samples in total, and at most ${most} can be tested here`,
    );
  }
  const kept = await platform.objects.get<SweepTest[]>(testsKey(runs));
  if (kept !== null) return { tests: kept, untested: null };
  if (!isSmall) {
    await platform.queues.finish(sweepMessage(runs.map((run) => run.id)));
    return null;
  }
  return { tests: await keep(platform, runs), untested: null };
}

/** Computes tests for a request that used the queue. Ignores runs that were deleted since. */
export async function testInQueue(platform: Platform, ids: readonly string[]): Promise<void> {
  const found = await Promise.all(ids.map((id) => platform.runs.get(id)));
  const runs = found.filter((run) => run?.status === "finished" && run.deletedAt === null);
  const all = runs as RunRecord[];
  if (all.length < ids.length || all.length < 2) return;
  if ((await platform.objects.get(testsKey(all))) === null) await keep(platform, all);
}

async function keep(platform: Platform, runs: readonly RunRecord[]): Promise<SweepTest[]> {
  const tests = await workOut(platform, runs);
  await keepAbout(platform.objects, runs, testsKey(runs), tests);
  return tests;
}

async function workOut(platform: Platform, runs: readonly RunRecord[]): Promise<SweepTest[]> {
  const suite = platform.suites.byId(runs[0]?.suite ?? "");
  if (!suite) throw new Error(`suite ${runs[0]?.suite} is not registered`);
  const { table, metrics } = await readScores(platform, runs);
  const { bySample } = comparedMetrics(suite, metrics);
  const seed = runs.map((run) => run.id).join();
  return bySample.flatMap((metric) => testVariants(table, metric, seed) ?? []);
}

/** A retried run has another end, so it gets other tests. */
const testsKey = (runs: readonly RunRecord[]) =>
  `compared/sweeps-${contentHash([STATISTICS, ...runs.map(({ id, finishedAt }) => [id, finishedAt])])}.json`;
