import { datasetFolder } from "../datasets/store.ts";
import type { Platform } from "../platform/platform.ts";
import { answerPrefixes, notesFolder, retentionEnd, runFolder } from "./run-objects.ts";
import { refreshBoards } from "./service.ts";

/** Limits per cron run: seconds of work, far below any limit of the platform. */
const RUNS = 5;
const STEPS = 20;
const LEFTOVERS = 5;
/** Queries of the plan for each run that is deleted because its retention has ended. */
const DUE_QUERIES = 50;
const ROWS = 5_000;
/** By then, lanes of an ended run have made their last write. */
const LEASE_KEPT_MS = 3_600_000;
const LEASES = 1_000;

/** What a cron run may still use. */
export interface Budget {
  steps: number;
}

/**
 * Deletes data that nobody may read any more, in limited parts: deleted runs, expired raw answers, rows of unused
 * dataset versions, leases of ended runs. Every step can be repeated and interrupted.
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
  for (const run of await platform.cleanup.answersDue(now, RUNS))
    await removeAnswers(platform, run, budget);
  const most = Math.ceil(platform.settings.plan.queries / DUE_QUERIES);
  for (const run of await platform.cleanup.runsDue(now, most)) {
    await refreshBoards(platform, await platform.runs.remove(run, now));
  }
  for (const { suite, version, kept } of await platform.datasets.claimLeftovers(now, LEFTOVERS)) {
    if (kept !== null) await platform.datasets.keepFirst(suite, version, kept);
    const folders = kept === null ? [`${datasetFolder(suite, version)}/`] : [];
    const isGone = await removeAll(platform, folders, budget);
    if (isGone) await platform.datasets.forgetLeftover(suite, version);
  }
  await platform.cleanup.pruneLeases(now - LEASE_KEPT_MS, LEASES);
}

/** Deletes the raw answers of a run. The site is rebuilt without them, because public reports show some answers. */
export async function removeAnswers(
  platform: Platform,
  run: string,
  budget: Budget,
): Promise<void> {
  if (!(await removeAll(platform, answerPrefixes(run), budget))) return;
  await platform.cleanup.markAnswersRemoved(run, platform.now());
  const visibility = (await platform.runs.get(run))?.visibility;
  if (visibility === "public") await platform.publications.markChanged();
}

/** Deletes the raw answers of some runs at once; false if the limits of a cron run don't allow all of it. */
export async function removeAnswersOf(
  platform: Platform,
  runs: readonly string[],
): Promise<boolean> {
  const budget = { steps: STEPS };
  for (const run of runs) await removeAnswers(platform, run, budget);
  return budget.steps > 0;
}

/** Deletes the leases first, so that no lane can write; the row last, so that a crash leaves nothing behind. */
export async function removeRun(platform: Platform, run: string, budget: Budget): Promise<void> {
  await platform.cleanup.dropLeases(run);
  if (!(await removeNoted(platform, run, budget))) return;
  if (!(await removeAll(platform, [runFolder(run)], budget))) return;
  while (budget.steps > 0) {
    budget.steps--;
    if ((await platform.cleanup.dropSamples(run, ROWS)) < ROWS)
      return platform.cleanup.dropRun(run);
  }
}

/** Deletes results about the run and others, as named by its notes; false if the budget is used up. */
export async function removeNoted(
  platform: Platform,
  run: string,
  budget: Budget,
): Promise<boolean> {
  const folder = notesFolder(run);
  while (budget.steps > 0) {
    budget.steps--;
    const notes = await platform.objects.keys(folder);
    if (notes.length === 0) return true;
    await platform.objects.remove(notes.map((note) => note.slice(folder.length)));
    await platform.objects.remove(notes);
  }
  return false;
}

/** Deletes all objects under some prefixes; false if the budget is used up. */
export async function removeAll(platform: Platform, prefixes: readonly string[], budget: Budget) {
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
