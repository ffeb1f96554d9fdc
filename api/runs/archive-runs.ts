import { logProblem } from "../platform/log.ts";
import type { Platform } from "../platform/platform.ts";
import { DatabaseFull } from "../platform/retry-storage.ts";
import type { EndedRun } from "./archive-store.ts";
import { archiveKey } from "./run-objects.ts";
import { packSamples, sampleArchives } from "./sample-archive.ts";
import type { RunRecord, SampleRecord } from "./schema.ts";

const HOUR_MS = 3_600_000;
/**
 * Runs are retried soon after their end or hardly ever. Until then their rows stay in the database, where they can be
 * changed.
 */
const ARCHIVED_AFTER_MS = 6 * HOUR_MS;
/** By then, lanes of a stopped run have made their last write. */
const STOPPED_MS = HOUR_MS;
/** Minimum time for which new runs fill one sample table. */
const TURN_MS = 12 * HOUR_MS;
/** An older table is blocked by a run that does not end: rows of other runs in it are then deleted one by one. */
const LATE_MS = 7 * 24 * HOUR_MS;
/**
 * Limits per cron run: number of runs, and number of rows after which it stops. Per day: 14,000 runs or 70 million
 * rows.
 */
const RUNS = 10;
const ROWS = 50_000;
/** Rows per read, and reads per write-back: less than half of D1's maximum value size. */
const PAGE = 2_000;
const PAGES = 2;
/** Rows per delete, and deletes per cron run, when space is short. */
const DROPPED = 5_000;
const DROPS = 20;

/**
 * Moves rows of runs that ended some hours ago to R2, one object per run, and frees their space in the database. A
 * limited part per cron run; can be repeated and interrupted. If space is short, it also moves rows of new runs, and
 * deletes rows at once.
 */
export async function archiveRuns(platform: Platform): Promise<void> {
  const now = platform.now();
  const isShort = await isRoomShort(platform);
  const before = isShort ? now : now - ARCHIVED_AFTER_MS;
  let rows = 0;
  for (const run of await platform.runs.runsToArchive(before, now - STOPPED_MS, RUNS)) {
    if (rows >= ROWS) break;
    rows += await archiveRun(platform, run, isShort);
  }
  const filledSince = await platform.runs.turnTables(isShort ? now - 1 : now - TURN_MS, now);
  const isLate = filledSince <= now - LATE_MS;
  if (isLate || (isShort && filledSince < now)) await dropArchived(platform);
}

/** Writes a run's rows to R2 and marks them as moved; returns their number. */
async function archiveRun(platform: Platform, run: EndedRun, drops: boolean): Promise<number> {
  const { archive, bytes } = await packSamples(rowsOf(platform, run));
  if (bytes.length > 0) await platform.objects.putBytes(archiveKey(run), bytes);
  // If the run has changed meanwhile, it is archived after its next end.
  await platform.runs.markArchived(run, archive, drops);
  return archive.rows;
}

async function* rowsOf(platform: Platform, run: EndedRun): AsyncGenerator<SampleRecord[]> {
  let after = -1;
  for (;;) {
    const rows = await platform.runs.rowsToArchive(run, after, PAGE);
    yield rows;
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < PAGE) return;
  }
}

/** Deletes rows of archived runs, in parts. */
async function dropArchived(platform: Platform): Promise<void> {
  let drops = 0;
  for (const run of await platform.runs.archivedWithRows(RUNS)) {
    while (drops++ < DROPS && (await platform.cleanup.dropSamples(run, DROPPED)) === DROPPED);
  }
}

/** Moves the rows of a run back to the database; false if the run or its rows changed meanwhile. */
export async function putBackRows(platform: Platform, run: RunRecord): Promise<boolean> {
  if (run.archive === null) return true;
  const archived = sampleArchives(platform.objects)(run, run.archive);
  for await (const rows of archived.from(0, PAGES)) await platform.runs.putBack(run, rows);
  return platform.runs.markPutBack(run, run.archive);
}

/** Shares of the maximum database size: above `SHORT` space is freed at once, above `FULL` new work is refused. */
const SHORT = 0.8;
const FULL = 0.95;

/** Warns the operator in the log if space is short. */
async function isRoomShort({ runs, settings }: Platform): Promise<boolean> {
  const bytes = await runs.databaseBytes();
  const isShort = bytes > SHORT * settings.databaseBytes;
  if (isShort) {
    logProblem("database-filling", { bytes, most: settings.databaseBytes });
  }
  return isShort;
}

/** Throws `DatabaseFull` if the remaining space is reserved for accepted runs. */
export async function needRoom({ runs, settings }: Platform): Promise<void> {
  const bytes = await runs.databaseBytes();
  if (bytes > FULL * settings.databaseBytes) {
    throw new DatabaseFull(`${bytes} of ${settings.databaseBytes} bytes are taken`);
  }
}
