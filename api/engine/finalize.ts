import type { RunFacts, Suite } from "#shared/contracts/suite.ts";
import { joinScores } from "#shared/measures/comparison/collect-scores.ts";
import { pointsOf } from "#shared/measures/performance/run-points.ts";
import { servedModels } from "#shared/measures/performance/served-models.ts";
import { timelineOf } from "#shared/measures/performance/timeline.ts";
import { isWatched } from "../drift/series.ts";
import { dealOut, judgingStart, unitsToJudge } from "../judging/units.ts";
import { boardMessage, driftMessage, finalizeMessage, laneMessages } from "../platform/messages.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Platform } from "../platform/platform.ts";
import { type StatementFacts, signedStatement } from "../publication/statement.ts";
import {
  partsKey,
  piecesFolder,
  type RunParts,
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

/** Rows read at once. */
const PAGE = 2_000;

/**
 * What is read of a run in one invocation: seconds of work, and far below the 50 queries of D1 and the 1,000 requests to
 * R2 that an invocation has on the free plan.
 * Source: developers.cloudflare.com, limits of Workers and of D1.
 */
const PIECE = { rows: 5_000, objects: 800, characters: 64_000_000 };
type PieceLimits = typeof PIECE;

/** A piece takes seconds: where nothing was written for so long, its message was lost. */
const LOST_MS = 120_000;

/**
 * Sums up a run whose samples are all in, a long one piece by piece: `piece` is where the piece before wrote its sums.
 * Can run any number of times, to the same bytes.
 */
export async function finalizeRun(
  platform: Platform,
  runId: string,
  piece?: string,
  limits: PieceLimits = PIECE,
): Promise<void> {
  if (piece === undefined) await platform.runs.recount(runId);
  const run = await platform.runs.get(runId);
  if (run === null || !isComplete(run)) {
    if (piece !== undefined) await removePieces(platform, runId);
    return;
  }
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  if (isJudgedLater(run)) return beginJudging(platform, work);
  const { suite } = work;
  const { heads, repeats } = work.plan;
  const isLong = run.total > limits.rows;
  const known = piece === undefined && isLong ? await furthest(platform, run) : null;
  if (known !== null && !isLost(platform, known)) return;
  const begun = await begin(platform, run, suite, piece ?? known?.key ?? null);
  if (begun === null) return;
  const isWhole = await addPiece(platform, run, { suite, heads, repeats }, begun, limits);
  if (!isWhole) return handOn(platform, run, suite, begun);
  await finish(platform, run, work, begun);
  if (begun.key !== null) await removePieces(platform, runId);
}

const isComplete = ({ status, done, total }: RunRecord): boolean =>
  done >= total && (status === "running" || status === "queued");

/** Sums of a run's first samples, as they are written down between two pieces. */
interface Piece {
  /** What code wrote it: other code may keep other sums, and begins again. */
  code: string;
  /** Place of the last sample; −1: none. */
  after: number;
  wallMs: number | null;
  sums: WrittenSums;
}

/** A piece to be added to; `key`: where it was written, null where it is the first. */
interface Begun extends Pick<Piece, "after" | "wallMs"> {
  key: string | null;
  sums: RunSums;
}

const codeOf = ({ settings }: Platform, { version }: Suite): string =>
  `${settings.codeRevision} ${version}`;

/**
 * Null where what `key` names is gone, since another message has carried on with it, or is of the answers from before a
 * retry.
 */
async function begin(
  platform: Platform,
  run: RunRecord,
  suite: Suite,
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
  return { key, after: -1, wallMs, sums: noSums(suite, wallMs) };
}

/** Adds samples until all are in, which it gives, or until enough were read. Ends after all repeats of a sample. */
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

/** The same objects, with how many were read and how long they are. */
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
 * Writes the sums down and sends the message that carries on with them, unless another one has come as far: of two that
 * sum up at once, one stops. What the piece began with goes last, so that a crash loses nothing.
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

/** A retried run has a folder of its own, since its answers are others. */
const folderOf = ({ id, retries }: RunRecord): string => `${piecesFolder(id)}${retries.length}/`;

/** In the order of the run. */
const pieceKey = (platform: Platform, run: RunRecord, after: number): string =>
  `${folderOf(run)}${`${after}`.padStart(12, "0")}-${platform.now()}-${platform.newId("piece")}.json`;

interface WrittenPiece {
  key: string;
  after: number;
  writtenAt: number;
}

/** The piece that has come furthest; null where none is written down. */
async function furthest({ objects }: Platform, run: RunRecord): Promise<WrittenPiece | null> {
  const folder = folderOf(run);
  const key = (await objects.keys(folder)).sort().at(-1);
  if (key === undefined) return null;
  const [after, writtenAt] = key.slice(folder.length).split("-").map(Number);
  return { key, after: after!, writtenAt: writtenAt! };
}

const isLost = (platform: Platform, { writtenAt }: WrittenPiece): boolean =>
  platform.now() - writtenAt > LOST_MS;

/** Removes what is written down of a run that is not summed up any more. */
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
  // The scores of a long run take as much memory again.
  sums.state = null;
  const parts: RunParts = {
    breakdown: summary.breakdown,
    timeline: sums.timeline && timelineOf(sums.timeline),
    points: pointsOf(sums.points),
  };
  const facts: StatementFacts = { answersSha256: sums.answers.digest(), wallMs };
  await platform.objects.putText(scoresKey(run), joinScores(scoreTexts(sums)));
  await platform.objects.put(partsKey(run), parts);
  await platform.objects.put(statementFactsKey(run), facts);
  const { codeRevision } = platform.settings;
  const summed = { ...summary, codeRevision, served: servedModels(sums.served) };
  if (!(await platform.runs.finish(run, summed, platform.now()))) return;
  await list(platform, run);
  await announceWaiting(platform);
  if (isWatched(run)) await platform.queues.finish(driftMessage(run.id));
  const finished = await platform.runs.get(run.id);
  // Whoever asks for a statement that is missing has it signed, so that a crash before this loses none.
  if (finished?.status === "finished") await signedStatement(platform, finished);
}

async function list(platform: Platform, run: RunRecord): Promise<void> {
  if (run.visibility === "unlisted" && run.canary === null) return;
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

/** Has the answers of a run judged, all of which are in. Can run any number of times. */
async function beginJudging(platform: Platform, { run, plan }: RunWork): Promise<void> {
  const { units } = unitsToJudge(plan, await platform.runs.judgedRanges(run.id));
  const isWhole = units.length === plan.units.length;
  const start = judgingStart(platform, units.length, isWhole ? 0 : plan.units.length);
  // Every lane has a lease from the start, which keeps the lanes out that asked the model.
  const pending = dealOut(isWhole ? [] : units, start.lanes, run.lanes);
  const now = platform.now();
  if (!(await platform.runs.beginJudging({ run, now, pending, start }))) return;
  await platform.queues.lanes(laneMessages({ id: run.id, phase: "judging" }, start.lanes));
}
