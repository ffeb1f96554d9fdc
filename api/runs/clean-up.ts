import { datasetFolder } from "../datasets/store.ts";
import type { Platform } from "../platform/platform.ts";
import { answerPrefixes, retentionEnd, runFolder } from "./run-objects.ts";

/** Runs that one cron run looks at, and steps that it takes: seconds of work, far from any limit. */
const RUNS = 5;
const STEPS = 20;
const LEFTOVERS = 5;
/** Rows removed in one step. */
const ROWS = 5_000;
/** A lane of an ended run has written its last by then. */
const LEASE_KEPT_MS = 3_600_000;
const LEASES = 1_000;

/** What one cron run may still do. */
interface Budget {
  steps: number;
}

/**
 * Removes what nobody may read any more, a bounded piece a cron run: deleted runs, raw answers past
 * their time, rows of datasets that neither a dataset nor a run has any more, leases of ended runs. Every step can be repeated, and stop anywhere.
 */
export async function cleanUp(platform: Platform): Promise<void> {
  const now = platform.now();
  const budget = { steps: STEPS };
  for (const run of await platform.cleanup.deletedRuns(now, RUNS))
    await removeRun(platform, run, budget);
  const endedBefore = retentionEnd(platform.settings, now);
  if (endedBefore !== null) {
    for (const run of await platform.cleanup.withAnswersSince(endedBefore, RUNS)) {
      await removeAnswers(platform, run, budget);
    }
  }
  for (const { suite, version } of await platform.datasets.claimLeftovers(now, LEFTOVERS)) {
    const isGone = await removeAll(platform, [`${datasetFolder(suite, version)}/`], budget);
    if (isGone) await platform.datasets.forgetLeftover(suite, version);
  }
  await platform.cleanup.pruneLeases(now - LEASE_KEPT_MS, LEASES);
}

/** Reports of public runs show some of their answers, so the site is built again without these. */
async function removeAnswers(platform: Platform, run: string, budget: Budget): Promise<void> {
  if (!(await removeAll(platform, answerPrefixes(run), budget))) return;
  await platform.cleanup.markAnswersRemoved(run, platform.now());
  const visibility = (await platform.runs.get(run))?.visibility;
  if (visibility === "public") await platform.publications.markChanged();
}

/** Leases first, so that nothing is written any more; the row last, so that nothing is left behind. */
async function removeRun(platform: Platform, run: string, budget: Budget): Promise<void> {
  await platform.cleanup.dropLeases(run);
  if (!(await removeAll(platform, [runFolder(run)], budget))) return;
  while (budget.steps > 0) {
    budget.steps--;
    if ((await platform.cleanup.dropSamples(run, ROWS)) < ROWS)
      return platform.cleanup.dropRun(run);
  }
}

/** Removes all objects under some prefixes; false where the budget ended before. */
async function removeAll(platform: Platform, prefixes: readonly string[], budget: Budget) {
  for (const prefix of prefixes) {
    for (;;) {
      if (budget.steps === 0) return false;
      budget.steps--;
      const keys = await platform.objects.keys(prefix);
      if (keys.length === 0) break;
      await platform.objects.remove(keys);
    }
  }
  return true;
}
