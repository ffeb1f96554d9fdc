import type { RunFacts, Suite } from "#shared/contracts/suite.ts";
import { joinScores } from "#shared/measures/comparison/collect-scores.ts";
import { pointsOf } from "#shared/measures/performance/run-points.ts";
import { servedModels } from "#shared/measures/performance/served-models.ts";
import { timelineOf } from "#shared/measures/performance/timeline.ts";
import { isWatched } from "../drift/series.ts";
import { dealOut, judgingStart, unitsToJudge } from "../judging/units.ts";
import { dayOf } from "../keys/quota.ts";
import { boardMessage, driftMessage, finalizeMessage } from "../platform/messages.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import { withMemory } from "../platform/with-memory.ts";
import { type StatementFacts, signedStatement } from "../publication/statement.ts";
import {
  partsKey,
  piecesFolder,
  type RunParts,
  runFolder,
  scoresKey,
  statementFactsKey,
} from "../runs/run-objects.ts";
import { isJudgedLater, type RunRecord } from "../runs/schema.ts";
import { storedSamples } from "../runs/stored-samples.ts";
import { announceWaiting } from "../webhooks/announce.ts";
import {
  addSample,
  noSums,
  type RunSums,
  readSums,
  type SummedPlan,
  scoreTexts,
  type WrittenSums,
  writtenSums,
} from "./run-sums.ts";
import { openRun, type RunWork } from "./run-work.ts";
import { startLanes } from "./seat-lanes.ts";

/** Rows per read: an object whose samples are on two pages is read twice. */
const PAGE = 5_000;

/**
 * Limits for what one invocation reads of a run: seconds of work, and far below the free plan's limits per invocation,
 * 50 D1 queries and 1,000 R2 requests.
 * Source: developers.cloudflare.com, limits of Workers and of D1.
 */
export const PIECE = { rows: 10_000, objects: 800, characters: 64_000_000 };
type PieceLimits = typeof PIECE;

/**
 * A run that needs all the memory available for such work: by its samples, by the bytes of its answers (parsed, about
 * five times as many), or by the samples of its dataset, whose index is read.
 */
const FULL = { samples: 1_000, bytes: 20_000_000, datasetSamples: 50_000 };

/** A piece takes seconds: if nothing was written for this long, its message was lost. */
const LOST_MS = 120_000;

/**
 * Sums up a run whose samples are all done; a long run piece by piece. `piece`: key of the previous piece's sums.
 * Idempotent: repeated calls write the same bytes.
 */
export async function finalizeRun(
  platform: Platform,
  runId: string,
  piece?: string,
  limits: PieceLimits = PIECE,
): Promise<void> {
  const run = await platform.runs.get(runId);
  const isOver = run === null || !isActive(run);
  // Every lane sends a message at its end; the first has the run summed up.
  if (isOver && piece === undefined) return;
  const share = isOver ? 0 : await shareOf(platform, run);
  return withMemory(platform, share, () => sumUp(platform, runId, piece, limits));
}

/** Share of the memory for such work; 1 or more needs all of it. */
async function shareOf({ objects }: Platform, run: RunRecord): Promise<number> {
  const share = Math.max(run.total / FULL.samples, run.datasetSamples / FULL.datasetSamples);
  if (share >= 1) return share;
  return Math.max(share, (await objects.bytes(runFolder(run.id))) / FULL.bytes);
}

async function sumUp(
  platform: Platform,
  runId: string,
  piece: string | undefined,
  limits: PieceLimits,
): Promise<void> {
  if (piece === undefined) await platform.runs.recount(runId);
  const run = await platform.runs.get(runId);
  if (run === null || !isComplete(run)) {
    if (piece !== undefined) await removePieces(platform, runId);
    return;
  }
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  if (isJudgedLater(run)) return beginJudging(platform, work);
  const { suite, options } = work;
  const { heads, repeats } = work.plan;
  const isLong = run.total > limits.rows;
  const known = piece === undefined && isLong ? await furthest(platform, run) : null;
  if (known !== null && !isLost(platform, known)) return;
  const begun = await begin(platform, run, work, piece ?? known?.key ?? null);
  if (begun === null) return;
  const isWhole = await addPiece(platform, run, { suite, options, heads, repeats }, begun, limits);
  if (!isWhole) return handOn(platform, run, suite, begun);
  await finish(platform, run, work, begun);
  if (begun.key !== null) await removePieces(platform, runId);
}

const isActive = ({ status }: RunRecord): boolean => status === "running" || status === "queued";

const isComplete = (run: RunRecord): boolean => run.done >= run.total && isActive(run);

/** Sums of a run's first samples, as stored between two pieces. */
interface Piece {
  /** Code version that wrote it: another version may store other sums, so it starts again. */
  code: string;
  /** Position of the last sample; −1: none. */
  after: number;
  wallMs: number | null;
  sums: WrittenSums;
}

/** A piece in progress; `key`: of the stored previous piece, null for the first. */
interface Begun extends Pick<Piece, "after" | "wallMs"> {
  key: string | null;
  sums: RunSums;
}

const codeOf = ({ settings }: Platform, { version }: Suite): string =>
  `${settings.codeRevision} ${version}`;

/** Null if the object `key` is gone because another message continued from it, or if it is older than a retry. */
async function begin(
  platform: Platform,
  run: RunRecord,
  { suite, options }: RunWork,
  key: string | null,
): Promise<Begun | null> {
  if (key !== null && !key.startsWith(folderOf(run))) {
    await platform.objects.remove([key]);
    return null;
  }
  const written = key === null ? null : await platform.objects.get<Piece>(key);
  if (key !== null && written === null) return null;
  if (written?.code === codeOf(platform, suite)) {
    return { ...written, key, sums: readSums(written.sums) };
  }
  const wallMs = await platform.runs.lastDoneMs(run.id);
  return { key, after: -1, wallMs, sums: noSums(suite, options, wallMs) };
}

/**
 * Adds samples until all are added (returns true) or the limits are reached. Stops only after all repeats of a sample.
 */
async function addPiece(
  platform: Platform,
  run: RunRecord,
  plan: SummedPlan,
  begun: Begun,
  limits: PieceLimits,
): Promise<boolean> {
  const { read, objects } = counted(platform.objects);
  const last = begun.after + limits.rows;
  const isEnough = (seq: number) =>
    (seq + 1) % plan.repeats === 0 &&
    (seq >= last || read.objects >= limits.objects || read.characters >= limits.characters);
  for (;;) {
    const count = Math.min(PAGE, last + plan.repeats - begun.after);
    const rows = await platform.runs.samples(run.id, begun.after, count);
    const rowOf = new Map(rows.map((row) => [row.seq, row]));
    for await (const sample of storedSamples(objects, rows)) {
      addSample(begun.sums, plan, sample, rowOf.get(sample.seq)!);
      begun.after = sample.seq;
      if (isEnough(sample.seq)) return sample.seq + 1 >= run.total;
    }
    if (rows.length < count) return true;
  }
}

/** An object store that counts the objects and characters read. */
function counted({ getText }: ObjectStore) {
  const read = { objects: 0, characters: 0 };
  const get = async <T>(key: string): Promise<T | null> => {
    const text = await getText(key);
    read.objects += 1;
    read.characters += text?.length ?? 0;
    return text === null ? null : (JSON.parse(text) as T);
  };
  return { read, objects: { get } };
}

/**
 * Stores the sums and sends a message to continue from them, unless another message has come as far: of two concurrent
 * ones, one stops. The previous piece is deleted last, so that a crash loses nothing.
 */
async function handOn(platform: Platform, run: RunRecord, suite: Suite, begun: Begun) {
  const { key, after, wallMs, sums } = begun;
  const other = await furthest(platform, run);
  if (other === null || other.after < after || isLost(platform, other)) {
    const next = pieceKey(platform, run, after);
    const code = codeOf(platform, suite);
    const piece: Piece = { code, after, wallMs, sums: writtenSums(sums) };
    await platform.objects.put(next, piece);
    await platform.queues.finish(finalizeMessage(run.id, next));
  }
  if (key !== null) await platform.objects.remove([key]);
}

/** Retries have separate folders, because the answers differ. */
const folderOf = ({ id, retries }: RunRecord): string => `${piecesFolder(id)}${retries.length}/`;

/** Keys sort in the order of the run. */
const pieceKey = (platform: Platform, run: RunRecord, after: number): string =>
  `${folderOf(run)}${`${after}`.padStart(12, "0")}-${platform.now()}-${platform.newId("piece")}.json`;

interface WrittenPiece {
  key: string;
  after: number;
  writtenAt: number;
}

/** The piece with the most samples; null if none is stored. */
async function furthest({ objects }: Platform, run: RunRecord): Promise<WrittenPiece | null> {
  const folder = folderOf(run);
  const key = (await objects.keys(folder)).sort().at(-1);
  if (key === undefined) return null;
  const [after, writtenAt] = key.slice(folder.length).split("-").map(Number);
  return { key, after: after!, writtenAt: writtenAt! };
}

const isLost = (platform: Platform, { writtenAt }: WrittenPiece): boolean =>
  platform.now() - writtenAt > LOST_MS;

/** Deletes the pieces of a run that is not being summed up any more. */
export async function removePieces({ objects }: Platform, runId: string): Promise<void> {
  const keys = await objects.keys(piecesFolder(runId));
  if (keys.length > 0) await objects.remove(keys);
}

async function finish(
  platform: Platform,
  run: RunRecord,
  { suite, options }: RunWork,
  { sums, wallMs }: Begun,
): Promise<void> {
  const summary = suite.aggregate.finish(sums.state, factsOf(run, options, wallMs));
  // Frees memory: the scores of a long run need as much again.
  sums.state = null;
  const parts: RunParts = {
    breakdown: summary.breakdown,
    timeline: sums.timeline && timelineOf(sums.timeline),
    points: pointsOf(sums.points),
  };
  const facts: StatementFacts = { answersSha256: sums.answers.digest(), wallMs };
  await Promise.all([
    platform.objects.putText(scoresKey(run), joinScores(scoreTexts(sums))),
    platform.objects.put(partsKey(run), parts),
    platform.objects.put(statementFactsKey(run), facts),
  ]);
  if (run.judging !== null) {
    await platform.spend.record(run.id, sums.spend, dayOf(platform.now()));
  }
  const { codeRevision } = platform.settings;
  const storedBytes = await platform.objects.bytes(runFolder(run.id));
  const summed = { ...summary, codeRevision, served: servedModels(sums.served), storedBytes };
  const now = platform.now();
  const isFinished = await platform.runs.finish(run, summed, now);
  // After a lost reply the call is sent again and changes nothing.
  if (!isFinished && (await platform.runs.get(run.id))?.finishedAt !== now) return;
  await platform.ratings.markIfRated(run.id, platform.now());
  await list(platform, run);
  await announceWaiting(platform);
  if (isWatched(run)) await platform.queues.finish(driftMessage(run.id));
  const finished = await platform.runs.get(run.id);
  // A crash before this loses nothing: a missing statement is signed when it is requested.
  if (finished?.status === "finished") await signedStatement(platform, finished);
}

async function list(platform: Platform, run: RunRecord): Promise<void> {
  if (run.visibility !== "public" && run.canary === null) return;
  if (run.boardId === null) await platform.publications.markChanged();
  await platform.queues.finish(boardMessage(run.boardId));
}

const factsOf = (run: RunRecord, options: unknown, wallMs: number | null): RunFacts<unknown> => ({
  runId: run.id,
  options,
  prices: run.prices,
  wallMs,
  hybrid: run.hybrid,
});

/** Starts to judge a run whose answers are complete. Idempotent. */
async function beginJudging(platform: Platform, { run, plan }: RunWork): Promise<void> {
  const { units } = unitsToJudge(plan, await platform.runs.judgedRanges(run.id));
  const isWhole = units.length === plan.units.length;
  const cursor = isWhole ? 0 : plan.units.length;
  const start = judgingStart(platform, run.options, units.length, cursor);
  // Each lane gets a lease now, which fences off lanes of the answering phase.
  const pending = dealOut(isWhole ? [] : units, start.lanes, run.lanes);
  const now = platform.now();
  await platform.runs.beginJudging({ run, now, pending, start });
  // Also if judging had begun already: after a lost reply the call is sent again and changes nothing.
  await startLanes(platform, "judging");
}
