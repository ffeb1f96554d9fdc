import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { RankChange } from "#shared/contracts/boards/republication.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { entryPages, listedOn, storePages } from "../boards/board-pages.ts";
import type { BoardRecord } from "../boards/schema.ts";
import { countChanged } from "../datasets/check-correction.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import { logError } from "../platform/log.ts";
import { boardMessage, republicationMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { hint } from "../platform/retry-storage.ts";
import { rescoredRun, rescoringOf } from "../runs/rescore-run.ts";
import type { Rescoring } from "../runs/resolve-rescoring.ts";
import type { NewRun, RunRecord } from "../runs/schema.ts";
import { entryBefore, pendingOf } from "./rank-changes.ts";
import { LOST_MS } from "./republication-store.ts";
import type { RepublicationRecord } from "./schema.ts";

/** Owner of the service's own submissions; their runs belong to the owners of the parent runs. */
const SERVICE = "assay";

/** Maximum number of entries: what one row can store as rank changes. */
const MOST_REPUBLISHED = 1_000;

/**
 * Maximum entries per part; fewer if an invocation may send few queries: each entry takes one, and one for each page of
 * its samples.
 */
const MOST_AT_ONCE = 100;
const OWN_QUERIES = 30;
const SAMPLES_A_PAGE = 2_000;

/** A board that can't or need not be re-published. */
type Conflict = { type: "conflict"; detail: string };

/**
 * Rescores the answers of all entries of a board with the current suite and judges and the latest corrected gold
 * answers, for a new board. The old board stays unchanged until the new one is ranked. Calls no model and charges no
 * quota. Starts the first entries; messages start the others. `reason`: used if no correction gives one.
 */
export async function republishBoard(
  platform: Platform,
  board: BoardRecord,
  reason: string | null = null,
): Promise<Result<RepublicationRecord, Conflict>> {
  if (board.supersededBy !== null) {
    return conflict(`board "${board.id}" was superseded by board "${board.supersededBy}"`);
  }
  if (listedOn(board) > MOST_REPUBLISHED) return conflict(tooMany(board));
  const begun = await begin(platform, board, reason);
  if (!begun.ok) return begun;
  const part = await scorePart(platform, begun.value, board);
  const { id, toBoard, changes, ...versions } = part.record;
  const isUnchanged =
    versions.toSuiteVersion === board.suiteVersion && versions.toDataset === board.datasetVersion;
  if (part.isLast && toBoard === null && isUnchanged) {
    await platform.republications.abandon(id);
    const why = changes[0]?.reason ?? "it has no entries";
    return conflict(`no answer on board "${board.id}" can be scored again: ${why}`);
  }
  return ok(await proceed(platform, part));
}

const tooMany = (board: BoardRecord): string =>
  `board "${board.id}" lists ${listedOn(board)} models, but at most ${MOST_REPUBLISHED} can be scored again together: rescore runs one by one`;

/** Stores a re-publication whose first part is due. Takes few queries, however large the board. */
async function begin(
  platform: Platform,
  board: BoardRecord,
  reason: string | null,
): Promise<Result<RepublicationRecord, Conflict>> {
  const suite = platform.suites.byId(board.suite);
  if (!suite) return conflict(`suite "${board.suite}" is no longer part of this service`);
  const { suite: suiteId, datasetName, datasetVersion } = board;
  const corrections = await platform.datasets.correctionsOf(suiteId, datasetName, datasetVersion);
  const isCorrected = corrections.length > 0;
  const reasons = corrections.flatMap(({ corrects }) => corrects?.reason ?? []).join("; ");
  const isScored = suite.version !== board.suiteVersion || !isCorrected;
  const startedAt = platform.now();
  const isTooLarge = listedOn(board) > MOST_REPUBLISHED;
  const record: RepublicationRecord = {
    id: platform.newId("rep"),
    submissionId: platform.newId("sub"),
    suite: board.suite,
    datasetName,
    headline: board.headline,
    causes: [
      ...(isCorrected ? ["dataset" as const] : []),
      ...(isScored ? ["scoring" as const] : []),
    ],
    reason: isTooLarge
      ? tooMany(board)
      : (reason ?? (isCorrected ? reasons : scoringReason(board, suite.version))),
    correctedSamples: null,
    fromBoard: board.id,
    toBoard: null,
    fromDataset: datasetVersion,
    toDataset: corrections.at(-1)?.version ?? datasetVersion,
    fromSuiteVersion: board.suiteVersion,
    toSuiteVersion: suite.version,
    changes: [],
    startedAt,
    finishedAt: isTooLarge ? startedAt : null,
    heldUntil: startedAt + LOST_MS,
  };
  if (await platform.republications.start(record)) return ok(record);
  return conflict(`board "${board.id}" is already being re-published`);
}

/** A re-publication after one of its parts; `isLast`: no entries are left. */
interface Part {
  record: RepublicationRecord;
  isLast: boolean;
}

/** Starts the runs of the next entries: as many as one invocation can. Can be repeated at any time. */
async function scorePart(
  platform: Platform,
  begun: RepublicationRecord,
  board: BoardRecord,
): Promise<Part> {
  const record = begun.changes.length > 0 ? begun : await withEntries(platform, begun, board);
  const pending = pendingOf(record, await platform.republications.runsOf(record));
  const part = pending.slice(0, partSize(platform, board));
  const { all, refused } = await rescorings(platform, record, board, part);
  const byBoard = Map.groupBy(all, ({ rescoring }) => rescoring.board?.id ?? null);
  const toBoard = record.toBoard ?? largest(byBoard);
  for (const [id, found] of byBoard) {
    if (id !== null && id === toBoard) continue;
    for (const { parent } of found) {
      refused.set(
        parent.id,
        "its options now belong to a different board than those of the others",
      );
    }
    if (id !== null) await startRuns(platform, `${record.submissionId}${id}`, board, found);
  }
  const found = byBoard.get(toBoard) ?? [];
  const isRescored = found.some((one) => one.rescoring.scoringVersion !== board.scoringVersion);
  const after: RepublicationRecord = {
    ...record,
    toBoard,
    causes: [...new Set([...record.causes, ...(isRescored ? ["scoring" as const] : [])])],
    changes: record.changes.map((change) => ({
      ...change,
      reason: change.reason ?? refused.get(change.before.run) ?? null,
    })),
  };
  // Saved before the runs start, because the new board waits for the remaining entries.
  if (part.length > 0) await platform.republications.save(after);
  if (toBoard !== null) await startRuns(platform, record.submissionId, board, found);
  return { record: after, isLast: part.length === pending.length };
}

function partSize({ settings }: Platform, { datasetSamples, repeats }: BoardRecord): number {
  const queries = 1 + Math.ceil((datasetSamples * repeats) / SAMPLES_A_PAGE);
  const most = Math.floor((settings.plan.queries - OWN_QUERIES) / queries);
  return Math.max(1, Math.min(MOST_AT_ONCE, most));
}

/** The board with most answers. */
function largest(byBoard: ReadonlyMap<string | null, readonly Found[]>): string | null {
  const boards = [...byBoard].filter(([id]) => id !== null);
  return boards.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

async function withEntries(
  platform: Platform,
  record: RepublicationRecord,
  board: BoardRecord,
): Promise<RepublicationRecord> {
  const entries: LeaderboardEntry[] = [];
  for await (const page of entryPages(platform, board)) entries.push(...page);
  const { suite, fromDataset, toDataset } = record;
  const versions = [fromDataset, toDataset] as const;
  const isCorrected = fromDataset !== toDataset;
  return {
    ...record,
    correctedSamples: isCorrected
      ? await countChanged(platform, suite, versions, board.datasetSamples)
      : null,
    changes: entries.map((entry) => entryBefore(entry, null)),
  };
}

interface Found {
  parent: RunRecord;
  rescoring: Rescoring;
}

/**
 * How the entries' answers are rescored, and for each other run why they can't be. Answers that now belong to another
 * board, because another metric ranks them, are scored for that board.
 */
async function rescorings(
  platform: Platform,
  { toDataset }: RepublicationRecord,
  { suite, datasetName, datasetVersion }: BoardRecord,
  part: readonly RankChange[],
) {
  const all: Found[] = [];
  const refused = new Map<string, string>();
  const corrections = await platform.datasets.correctionsOf(suite, datasetName, datasetVersion);
  // The same corrections for the whole board, up to those known at its start: later ones cause another re-publication.
  const known = corrections.slice(0, corrections.findIndex((it) => it.version === toDataset) + 1);
  const datasets = { ...platform.datasets, correctionsOf: async () => known };
  const parents = await platform.runs.some(part.map(({ before }) => before.run));
  const byId = new Map(parents.map((parent) => [parent.id, parent]));
  for (const { before } of part) {
    const parent = byId.get(before.run);
    const read = parent && (await rescoringOf({ ...platform, datasets }, parent, {}));
    if (parent && read?.ok) all.push({ parent, rescoring: read.value });
    else refused.set(before.run, !read || read.ok ? "it was removed" : read.error.detail);
  }
  return { all, refused };
}

/**
 * Has the next part started, or the new board ranked. Ends the re-publication if no answer can be rescored, so that it
 * is tried only once.
 */
async function proceed(platform: Platform, { record, isLast }: Part): Promise<RepublicationRecord> {
  const { republications, queues } = platform;
  if (!isLast) {
    await republications.release(record.id);
    await hint(queues.finish(republicationMessage(record.id)));
  } else if (record.toBoard !== null) {
    await hint(queues.finish(boardMessage(record.toBoard)));
  } else {
    const finishedAt = platform.now();
    await republications.finish(record, finishedAt);
    await platform.publications.markChanged();
    return { ...record, finishedAt };
  }
  return record;
}

/** Starts the next part of a re-publication, unless another caller does. */
export async function continueRepublication(platform: Platform, id: string): Promise<void> {
  const record = await platform.republications.take(id, platform.now());
  if (record === null) return;
  const board = await platform.boards.get(record.fromBoard);
  if (board === null) return platform.republications.abandon(id);
  await proceed(platform, await scorePart(platform, record, board));
}

/** Creates the board before its runs. Runs that exist already stay as they are. */
async function startRuns(
  platform: Platform,
  submissionId: string,
  former: BoardRecord,
  found: readonly Found[],
): Promise<void> {
  const [first] = found;
  if (!first?.rescoring.board) return;
  const createdAt = platform.now();
  const { suite, board, dataset } = first.rescoring;
  const runs: NewRun[] = found.map(({ parent, rescoring }) => ({
    ...rescoredRun(platform, submissionId, parent, rescoring),
    // The same whoever starts it, so that no answer is scored twice.
    id: `run_${textHash(`${submissionId} ${parent.id}`).slice(0, 32)}`,
    // Not an attempt: the new board counts those of the old board.
    boardId: board?.id ?? null,
    countedOn: null,
    republished: true,
  }));
  // Boards with a submitter's own options are never in public lists, whatever the suite version.
  const madeBy = first.rescoring.board.isDefault ? null : former.madeBy;
  await platform.boards.ensure({ ...first.rescoring.board, madeBy }, createdAt);
  const { datasetName } = first.parent;
  const where = { suite: suite.id, datasetName, datasetVersion: dataset.version };
  const submission = { id: submissionId, owner: SERVICE, ...where, createdAt };
  await platform.runs.insert(submission, runs, null, null, { isPart: true });
  await startLanes(platform, runs[0]?.phase ?? "answering");
}

/**
 * Rescores a run that finished on a board after it was superseded (because it was paused or retried), for the board
 * where its answers belong now. Once per end of the run.
 */
async function republishLate(
  platform: Platform,
  board: BoardRecord,
  parent: RunRecord,
): Promise<void> {
  const submissionId = `sub_${parent.id.replace(/^run_/, "")}r${parent.retries.length}`;
  if ((await platform.runs.submission(submissionId)) !== null) return;
  const read = await rescoringOf(platform, parent, {});
  if (!read.ok) return;
  await startRuns(platform, submissionId, board, [{ parent, rescoring: read.value }]);
}

const scoringReason = ({ suite, suiteVersion }: BoardRecord, version: string): string =>
  suiteVersion === version
    ? `the judging of suite "${suite}" has changed`
    : `suite "${suite}" scores with version ${version}, before with ${suiteVersion}`;

const conflict = (detail: string) => err({ type: "conflict" as const, detail });

/** Queries of an invocation for each board that a cron run starts to re-publish, and messages of a cron run. */
const QUERIES_A_BOARD = 200;
const MESSAGES = 20;

/** Runs that started longer ago are not awaited: they are rescored when they finish. */
const WAIT_MS = 3_600_000;

/**
 * Continues re-publications, and starts those that are due: boards with a corrected dataset, and boards without judges
 * whose suite has a new version. Judges cost money, so an admin starts those of judged boards. Each part is a message
 * of its own, so that a large or failing board delays no other.
 */
export async function republishDue(platform: Platform): Promise<void> {
  const { republications, settings, suites, queues } = platform;
  const now = platform.now();
  const most = Math.ceil(settings.plan.queries / QUERIES_A_BOARD);
  for (const id of await republications.due(suites.all, now - WAIT_MS, most)) {
    await beginDue(platform, id);
  }
  for (const id of await republications.free(now, MESSAGES)) {
    await queues.finish(republicationMessage(id));
  }
}

/** One unreadable board must not stop the others. */
async function beginDue(platform: Platform, boardId: string): Promise<void> {
  try {
    const board = await platform.boards.get(boardId);
    const begun = board && (await begin(platform, board, null));
    if (begun?.ok) await platform.republications.release(begun.value.id);
  } catch (error) {
    logError("republication-failed", error, { board: boardId });
  }
}

/**
 * Keeps a superseded board unchanged, except for withdrawn runs. Runs that finished on it afterwards are rescored for
 * the board where their answers belong now.
 */
export async function keepSuperseded(platform: Platform, board: BoardRecord): Promise<void> {
  const late = await platform.runs.finishedOnBoard(board.id, board.supersededAt ?? platform.now());
  for (const run of late) await republishLate(platform, board, run);
  let isWhole = true;
  async function* inView() {
    for await (const entries of entryPages(platform, board)) {
      const seen = await platform.runs.inView(entries.map(({ run }) => run));
      const shown = entries.filter(({ run }) => seen.has(run));
      if (shown.length < entries.length) isWhole = false;
      yield shown;
    }
  }
  const pages = await storePages(platform, board, inView());
  const { comparedSamples } = board;
  // Tests refer to entries by position.
  const tests = isWhole ? board.tests : null;
  await platform.boards.write(board.id, { ...pages, comparedSamples, tests }, platform.now());
}
