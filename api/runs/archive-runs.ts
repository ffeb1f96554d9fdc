import type { Platform } from "../platform/platform.ts";
import { DatabaseFull } from "../platform/retry-storage.ts";
import type { EndedRun } from "./archive-store.ts";
import { archiveKey } from "./run-objects.ts";
import { packSamples, sampleArchives } from "./sample-archive.ts";
import type { RunRecord, SampleRecord } from "./schema.ts";

const HOUR_MS = 3_600_000;
/** A run is retried soon after its end, or hardly ever: until then its rows stay where they are changed. */
const ARCHIVED_AFTER_MS = 6 * HOUR_MS;
/** A lane of a run that was stopped has written its last by then. */
const STOPPED_MS = HOUR_MS;
/** For how long new runs fill one table of samples, at least. */
const TURN_MS = 12 * HOUR_MS;
/** A table whose turn is so late is held by a run that does not end: rows of others are removed one by one. */
const LATE_MS = 7 * 24 * HOUR_MS;
/** Runs, and rows of all but the last of them, that one cron run archives: 14,000 runs or 70 million rows a day. */
const RUNS = 10;
const ROWS = 50_000;
/** Rows read at once, and written back at once: less than half of what D1 takes as one value. */
const PAGE = 2_000;
const PAGES = 2;
/** Rows removed at once, and how often, where room is short. */
const DROPPED = 5_000;
const DROPS = 20;

/**
 * Moves the rows of runs that ended some hours ago to R2, one object a run, and gives their room in the database free: a
 * bounded piece a cron run, which can be repeated and stop anywhere. Where room is short nothing waits, and rows are
 * removed at once.
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

/** Puts a run's rows into R2 and marks them as moved; gives how many. */
async function archiveRun(platform: Platform, run: EndedRun, drops: boolean): Promise<number> {
  const { archive, bytes } = await packSamples(rowsOf(platform, run));
  if (bytes.length > 0) await platform.objects.putBytes(archiveKey(run), bytes);
  // Whoever changed it meanwhile has it archived after its next end.
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

/** Removes rows of archived runs, a piece at a time. */
async function dropArchived(platform: Platform): Promise<void> {
  let drops = 0;
  for (const run of await platform.runs.archivedWithRows(RUNS)) {
    while (drops++ < DROPS && (await platform.cleanup.dropSamples(run, DROPPED)) === DROPPED);
  }
}

/** Moves the rows of a run back to where they can be changed; false where something came between. */
export async function putBackRows(platform: Platform, run: RunRecord): Promise<boolean> {
  if (run.archive === null) return true;
  const archived = sampleArchives(platform.objects)(run, run.archive);
  for await (const rows of archived.from(0, PAGES)) await platform.runs.putBack(run, rows);
  return platform.runs.markPutBack(run, run.archive);
}

/** Of the database's size: from here on room is made at once, and from there on no work is taken on. */
const SHORT = 0.8;
const FULL = 0.95;

/** Says it to the operator, who reads the logs. */
async function isRoomShort({ runs, settings }: Platform): Promise<boolean> {
  const bytes = await runs.databaseBytes();
  const isShort = bytes > SHORT * settings.databaseBytes;
  if (isShort) {
    const entry = { event: "database-filling", bytes, most: settings.databaseBytes };
    console.error(JSON.stringify(entry));
  }
  return isShort;
}

/** Throws `DatabaseFull` where the room that is left is for runs that were taken on before. */
export async function needRoom({ runs, settings }: Platform): Promise<void> {
  const bytes = await runs.databaseBytes();
  if (bytes > FULL * settings.databaseBytes) {
    throw new DatabaseFull(`${bytes} of ${settings.databaseBytes} bytes are taken`);
  }
}
