import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Dataset } from "#shared/contracts/datasets/dataset.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { entryPages, listedOn, storePages } from "../boards/board-pages.ts";
import type { BoardRecord } from "../boards/schema.ts";
import { countChanged } from "../datasets/check-correction.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import { logError } from "../platform/log.ts";
import { boardMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { rescoredRun, rescoringOf } from "../runs/rescore-run.ts";
import type { Rescoring } from "../runs/resolve-rescoring.ts";
import type { NewRun, RunRecord } from "../runs/schema.ts";
import { entryBefore } from "./rank-changes.ts";
import type { RepublicationRecord } from "./schema.ts";

/** Owner of the service's own submissions; their runs belong to the owners of the parent runs. */
const SERVICE = "assay";

/** Maximum number of runs: what one invocation can read, and one row can store as rank changes. */
const MOST_REPUBLISHED = 1_000;

/** A board that can't or need not be re-published. */
type Conflict = { type: "conflict"; detail: string };

/**
 * Rescores the answers of all entries of a board with the current suite and judges and the latest corrected gold
 * answers, for a new board. The old board stays unchanged until the new one is ranked. Calls no model and charges no
 * quota. `reason`: used if no correction gives one.
 */
export async function republishBoard(
  platform: Platform,
  board: BoardRecord,
  reason: string | null = null,
): Promise<Result<RepublicationRecord, Conflict>> {
  if (board.supersededBy !== null) {
    return conflict(`board "${board.id}" was superseded by board "${board.supersededBy}"`);
  }
  const suite = platform.suites.byId(board.suite);
  if (!suite) return conflict(`suite "${board.suite}" is no longer part of this service`);
  const listed = listedOn(board);
  if (listed > MOST_REPUBLISHED) {
    return conflict(
      `board "${board.id}" lists ${listed} models, but at most ${MOST_REPUBLISHED} can be scored again together: rescore runs one by one`,
    );
  }
  const { suite: suiteId, datasetName, datasetVersion } = board;
  const corrections = await platform.datasets.correctionsOf(suiteId, datasetName, datasetVersion);
  const read = await rescorings(platform, board);
  const isUnchanged = suite.version === board.suiteVersion && corrections.length === 0;
  if (read.found.length === 0 && isUnchanged) {
    const why = [...read.refused.values()][0] ?? "it has no entries";
    return conflict(`no answer on board "${board.id}" can be scored again: ${why}`);
  }
  const correction = await correctionBy(platform, board, corrections);
  const record = recordOf(platform, board, read, { suite, correction, reason });
  if (!(await platform.republications.start(record))) {
    return conflict(`board "${board.id}" is already being re-published`);
  }
  if (read.found.length > 0) await startRuns(platform, record, read.found);
  for (const parent of read.elsewhere) await republishLate(platform, parent);
  await platform.publications.markChanged();
  return ok(record);
}

/** The combined result of successive corrections. */
interface WholeCorrection {
  version: string;
  reason: string;
  samples: number;
}

async function correctionBy(
  platform: Platform,
  { suite, datasetVersion, datasetSamples }: BoardRecord,
  corrections: readonly Dataset[],
): Promise<WholeCorrection | null> {
  const last = corrections.at(-1);
  if (last === undefined) return null;
  const versions = [datasetVersion, last.version] as const;
  return {
    version: last.version,
    reason: corrections.flatMap(({ corrects }) => corrects?.reason ?? []).join("; "),
    samples: await countChanged(platform, suite, versions, datasetSamples),
  };
}

interface Why {
  suite: Suite;
  correction: WholeCorrection | null;
  reason: string | null;
}

/** If no answer can be rescored, the re-publication finishes at once, so that it is tried only once. */
function recordOf(
  platform: Platform,
  board: BoardRecord,
  { found: [first], refused, entries }: Awaited<ReturnType<typeof rescorings>>,
  { suite, correction, reason }: Why,
): RepublicationRecord {
  const isRescored = first !== undefined && first.rescoring.scoringVersion !== board.scoringVersion;
  const isOtherSuite = suite.version !== board.suiteVersion;
  const startedAt = platform.now();
  return {
    id: platform.newId("rep"),
    submissionId: platform.newId("sub"),
    suite: board.suite,
    datasetName: board.datasetName,
    headline: board.headline,
    causes: [
      ...(correction === null ? [] : ["dataset" as const]),
      ...(isRescored || isOtherSuite ? ["scoring" as const] : []),
    ],
    reason: reason ?? correction?.reason ?? scoringReason(board, suite.version),
    correctedSamples: correction?.samples ?? null,
    fromBoard: board.id,
    toBoard: first?.rescoring.board?.id ?? null,
    fromDataset: board.datasetVersion,
    toDataset: correction?.version ?? board.datasetVersion,
    fromSuiteVersion: board.suiteVersion,
    toSuiteVersion: suite.version,
    changes: entries.map((entry) => entryBefore(entry, refused.get(entry.run) ?? null)),
    startedAt,
    finishedAt: first === undefined ? startedAt : null,
  };
}

interface Found {
  parent: RunRecord;
  rescoring: Rescoring;
}

/**
 * How the entries' answers are scored for the new board (the board of most entries), and by run why others can't be.
 * Answers that now belong to other boards, because another metric ranks them, are scored for those.
 */
async function rescorings(platform: Platform, board: BoardRecord) {
  const all: Found[] = [];
  const refused = new Map<string, string>();
  const entries: LeaderboardEntry[] = [];
  for await (const page of entryPages(platform, board)) entries.push(...page);
  for (const { run: id } of entries) {
    const parent = await platform.runs.get(id);
    const read = parent && (await rescoringOf(platform, parent, {}));
    if (parent !== null && read?.ok) all.push({ parent, rescoring: read.value });
    else refused.set(id, read === null || read.ok ? "it was removed" : read.error.detail);
  }
  const byBoard = Map.groupBy(all, ({ rescoring }) => rescoring.board?.id ?? null);
  const none = byBoard.get(null) ?? [];
  byBoard.delete(null);
  const [found = [], ...rest] = [...byBoard.values()].sort((a, b) => b.length - a.length);
  const elsewhere = rest.flat().map(({ parent }) => parent);
  for (const { id } of [...none.map(({ parent }) => parent), ...elsewhere]) {
    refused.set(id, "its options now belong to a different board than those of the others");
  }
  return { found, refused, elsewhere, entries };
}

/** Creates the board before its runs. After a crash in between, `republishDue` abandons the re-publication. */
async function startRuns(
  platform: Platform,
  { submissionId, datasetName }: Pick<RepublicationRecord, "submissionId" | "datasetName">,
  found: readonly Found[],
): Promise<void> {
  const [first] = found;
  if (!first?.rescoring.board) return;
  const createdAt = platform.now();
  const { suite, board, dataset } = first.rescoring;
  const runs: NewRun[] = found.map(({ parent, rescoring }) => ({
    ...rescoredRun(platform, submissionId, parent, rescoring),
    // Not an attempt: the new board counts those of the old board.
    boardId: board?.id ?? null,
    countedOn: null,
    republished: true,
  }));
  // Boards with a submitter's own options are in no public list, whatever the suite version.
  const former = await platform.boards.get(first.parent.boardId ?? "");
  const madeBy = first.rescoring.board.isDefault ? null : (former?.madeBy ?? null);
  await platform.boards.ensure({ ...first.rescoring.board, madeBy }, createdAt);
  const where = { suite: suite.id, datasetName, datasetVersion: dataset.version };
  const submission = { id: submissionId, owner: SERVICE, ...where, createdAt };
  if ((await platform.runs.insert(submission, runs, null)) !== "stored") return;
  await startLanes(platform, runs[0]?.phase ?? "answering");
}

/**
 * Rescores a run that finished on a board after it was superseded (because it was paused or retried), for the board
 * where its answers belong now. Once per end of the run.
 */
async function republishLate(platform: Platform, parent: RunRecord): Promise<void> {
  const submissionId = `sub_${parent.id.replace(/^run_/, "")}r${parent.retries.length}`;
  if ((await platform.runs.submission(submissionId)) !== null) return;
  const read = await rescoringOf(platform, parent, {});
  if (!read.ok) return;
  await startRuns(platform, { submissionId, datasetName: parent.datasetName }, [
    { parent, rescoring: read.value },
  ]);
}

const scoringReason = ({ suite, suiteVersion }: BoardRecord, version: string): string =>
  suiteVersion === version
    ? `the judging of suite "${suite}" has changed`
    : `suite "${suite}" scores with version ${version}, before with ${suiteVersion}`;

const conflict = (detail: string) => err({ type: "conflict" as const, detail });

/** Boards started per cron run: each may have a hundred runs to store. */
const BOARDS_A_CRON_RUN = 5;

/** Runs that started longer ago are not awaited: they are rescored when they finish. */
const WAIT_MS = 3_600_000;

/** A re-publication without runs after this time was interrupted by a crash. */
const LOST_MS = 120_000;

/**
 * Continues re-publications, and starts those that are due: boards with a corrected dataset, and boards without judges
 * whose suite has a new version. Judges cost money, so an admin starts those of judged boards.
 */
export async function republishDue(platform: Platform): Promise<void> {
  for (const { id, submissionId, startedAt, toBoard } of await platform.republications.open()) {
    const isStored = (await platform.runs.submission(submissionId)) !== null;
    if (isStored) await platform.queues.finish(boardMessage(toBoard));
    else if (startedAt < platform.now() - LOST_MS) await platform.republications.abandon(id);
  }
  const since = platform.now() - WAIT_MS;
  for (const id of await platform.republications.due(
    platform.suites.all,
    since,
    BOARDS_A_CRON_RUN,
  )) {
    await republish(platform, id);
  }
}

/** One unreadable board must not stop the others. */
async function republish(platform: Platform, boardId: string): Promise<void> {
  try {
    const board = await platform.boards.get(boardId);
    if (board !== null) await republishBoard(platform, board);
  } catch (error) {
    logError("republication-failed", error, { board: boardId });
  }
}

/**
 * Keeps a superseded board as it was, except for withdrawn runs. Runs that finished on it afterwards are rescored for
 * the board where their answers belong now.
 */
export async function keepSuperseded(platform: Platform, board: BoardRecord): Promise<void> {
  const late = await platform.runs.finishedOnBoard(board.id, board.supersededAt ?? platform.now());
  for (const run of late) await republishLate(platform, run);
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
