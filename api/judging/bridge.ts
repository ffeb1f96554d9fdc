import type { Answer } from "#shared/contracts/answer.ts";
import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";
import type { Bridge } from "#shared/contracts/judging/bridge.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import type { RescoreRequest } from "#shared/contracts/submissions/run-requests.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
  runScores,
} from "#shared/measures/comparison/collect-scores.ts";
import { judgeShifts } from "#shared/measures/judging/judge-shifts.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import type { BoardRecord } from "../boards/schema.ts";
import { boardCanaries } from "../drift/canaries.ts";
import { sampleBody } from "../engine/execute-unit.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import { Postponed } from "../platform/backoff.ts";
import { bridgeMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import type { RequestCount } from "../providers/endpoint-memory.ts";
import type { RunRefusal } from "../runs/access.ts";
import { rescoringOf } from "../runs/rescore-run.ts";
import { scoresKey } from "../runs/run-objects.ts";
import { type StoredSample, storedBySeq } from "../runs/stored-samples.ts";
import { evenlySpaced } from "../submissions/estimate.ts";
import { askingOf } from "./ask-judge.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { judgeWarnings } from "./judge-models.ts";
import type { BridgeRecord } from "./schema.ts";

/**
 * Maximum models of a board whose answers are judged; fewer if an invocation may send few queries, because each takes
 * some.
 */
const MOST_RUNS = 20;
const QUERIES_A_RUN = 8;
/** Maximum answers of a bridge: enough to detect a shift of a fifth of a level. */
const MOST_ANSWERS = 200;
/** How long a message judges; it holds the bridge a little longer. */
const JUDGING_MS = 240_000;
const HELD_MS = 300_000;
const AT_ONCE = 5;
/** More than any run has. Answers are in order of run and sample, so that the same bridge has the same intervals. */
const MOST_SAMPLES = 1e9;
/** Rows per read: D1 allows 100 parameters. */
const PAGE = 50;

const iso = ({ now }: Platform) => new Date(now()).toISOString();

export const bridgeView = (bridge: BridgeRecord): Bridge => {
  const { id, boardId: board, to, shifts, startedAt, finishedAt } = bridge;
  return { id, board, to, shifts, startedAt, finishedAt };
};

/** Bridges shown with a board. */
const SHOWN = 3;

/** What a board shows about its judges: canaries, warnings of the last check, and the newest finished bridges. */
export async function boardFacts(
  platform: Platform,
  board: BoardRecord,
): Promise<Pick<Leaderboard, "canaries" | "judgeWarnings" | "bridges">> {
  if (board.judging === null) return { canaries: null, judgeWarnings: [], bridges: [] };
  const bridges = await platform.judges.bridgesOf(board.id, SHOWN);
  return {
    canaries: await boardCanaries(platform, board),
    judgeWarnings: await judgeWarnings(platform, board.judging),
    bridges: bridges.filter(({ finishedAt }) => finishedAt !== null).map(bridgeView),
  };
}

/**
 * Starts a bridge: stored answers of a board, spread evenly over its scores, are judged by new judges. Never calls a
 * model under test. The judgments are reused if the board is re-published with the same judges.
 */
export async function startBridge(
  platform: Platform,
  board: BoardRecord,
  { options }: RescoreRequest,
): Promise<Result<BridgeRecord, RunRefusal>> {
  const picked = await pickAnswers(platform, board);
  const first = await platform.runs.get(Object.keys(picked)[0] ?? "");
  const rescoring = first && (await rescoringOf(platform, first, options));
  if (rescoring?.ok === false) return rescoring;
  const to = rescoring?.value.judging ?? null;
  if (to === null) {
    const detail = `board "${board.id}" has no judged answers`;
    return err({ type: "conflict", detail });
  }
  const ids = { id: platform.newId("bri"), boardId: board.id };
  const times = { startedAt: iso(platform), finishedAt: null, heldUntil: 0 };
  const bridge: BridgeRecord = { ...ids, to, options, picked, shifts: [], ...times };
  await platform.judges.startBridge(bridge);
  await platform.queues.finish(bridgeMessage(bridge.id));
  return ok(bridge);
}

/** Scored answers of a board, evenly spaced in the order of their scores. */
async function pickAnswers(
  platform: Platform,
  { entries }: Pick<BoardRecord, "entries">,
): Promise<BridgeRecord["picked"]> {
  const scored: { run: string; sample: string; value: number }[] = [];
  const most = Math.min(MOST_RUNS, Math.floor(platform.settings.plan.queries / QUERIES_A_RUN));
  for (const place of evenlySpaced(entries.length, most)) {
    const run = await platform.runs.get(entries[place]?.run ?? "");
    const scores = run && (await platform.objects.get<RunScores>(scoresKey(run)));
    const values = scores?.values[run?.headline ?? ""]?.of ?? [];
    for (const [i, value] of values.entries()) {
      if (value !== null) scored.push({ run: run!.id, sample: scores!.ids[i]!, value });
    }
  }
  scored.sort((a, b) => a.value - b.value);
  const chosen = evenlySpaced(scored.length, MOST_ANSWERS).map((place) => scored[place]!);
  const byRun = [...Map.groupBy(chosen, ({ run }) => run)];
  return Object.fromEntries(byRun.map(([run, its]) => [run, its.map(({ sample }) => sample)]));
}

/** Scores of the same answers by old and by new judges. */
interface BridgeScores {
  before: CollectedScores;
  after: CollectedScores;
  /** Number of requests of the message, to all judges. */
  requests: RequestCount;
}

/**
 * Judges the answers of a bridge within the time of one message; another message continues. Judgments are stored, so
 * none is requested twice. Can be repeated and interrupted.
 */
export async function workOnBridge(platform: Platform, id: string): Promise<void> {
  const now = platform.now();
  const bridge = await platform.judges.takeBridge(id, now, now + HELD_MS);
  if (bridge === null) return;
  const requests = { sent: 0, most: platform.settings.plan.requests };
  const scores: BridgeScores = { before: noScores(), after: noScores(), requests };
  try {
    for (const place of Object.keys(bridge.picked).keys()) {
      await judgePicked(platform, bridge, place, scores, now + JUDGING_MS);
    }
  } catch (error) {
    const until = error instanceof Postponed ? error.until : platform.now();
    await platform.judges.leaveBridge(id, until);
    if (!(error instanceof Postponed)) throw error;
    if (until <= platform.now()) await platform.queues.finish(bridgeMessage(id));
    return;
  }
  const board = await platform.boards.get(bridge.boardId);
  const suite = platform.suites.byId(board?.suite ?? "");
  const metrics = board && suite ? judgedMetrics(suite, board) : [];
  const shifts = judgeShifts(runScores(scores.before), runScores(scores.after), metrics, id);
  await platform.judges.endBridge(bridge, shifts, iso(platform));
  await platform.publications.markChanged();
}

/** Adds the scores of one run's answers; skips withdrawn runs. Throws `Postponed`. */
async function judgePicked(
  platform: Platform,
  { to, options, picked, startedAt }: BridgeRecord,
  place: number,
  scores: BridgeScores,
  until: number,
): Promise<void> {
  const [runId, samples] = Object.entries(picked)[place]!;
  const run = await platform.runs.get(runId);
  const rescoring = run && (await rescoringOf(platform, run, options));
  if (!rescoring?.ok || run === null || run.deletedAt !== null) return;
  const settings = { options: rescoring.value.options, judging: to, sealedSecrets: null };
  const own = { ...run, ...settings, blockedSince: Date.parse(startedAt) };
  const work = await openRun(platform, { ...own, phase: "judging" });
  work.memory.requests = scores.requests;
  const wanted = new Set(samples);
  const seqs = work.plan.heads.flatMap(({ id }, sample) =>
    wanted.has(id) ? [seqOf(work.plan, sample, 0)] : [],
  );
  for (let start = 0; start < seqs.length; start += PAGE) {
    const rows = await platform.runs.samplesAt(run.id, seqs.slice(start, start + PAGE));
    const stored = [...(await storedBySeq(platform.objects, rows)).values()];
    for (let i = 0; i < stored.length; i += AT_ONCE) {
      if (platform.now() >= until) throw new Postponed(platform.now());
      const some = stored.slice(i, i + AT_ONCE);
      await Promise.all(some.map((one) => judgeAgain(platform, work, one, { place, scores })));
    }
  }
}

async function judgeAgain(
  platform: Platform,
  work: RunWork,
  { seq, id, answer }: StoredSample,
  { place, scores }: { place: number; scores: BridgeScores },
): Promise<void> {
  const { suite, plan, options, run } = work;
  const number = Math.floor(seq / plan.repeats);
  const sample = await sampleBody(platform, work, number);
  const asking = { ...askingOf(platform, work), isExact: true, stopped: async () => {} };
  const judged = await judgeAnswer(platform, work, asking, { sample, answer });
  // Answers of several models to a sample are similar, so the sample is the unit.
  const tags = { cluster: plan.heads[number]?.tags?.["cluster"] ?? id };
  const order = place * MOST_SAMPLES + seq;
  const its = { seq: order, id: `${run.id} ${id}`, tags, call: callOf(answer) };
  const valuesOf = (one: Answer) => suite.sampleValues(suite.score(sample, one, options));
  collectScores(scores.before, its, valuesOf(answer));
  collectScores(scores.after, its, valuesOf(judged));
}

/** Sends messages for bridges that nobody works on. */
export async function continueBridges(platform: Platform): Promise<void> {
  for (const id of await platform.judges.waitingBridges(platform.now())) {
    await platform.queues.finish(bridgeMessage(id));
  }
}

/** The headline, and the main metric of each judge. */
function judgedMetrics({ metrics, composites }: Suite, { headline, judging }: BoardRecord) {
  // A judge has the id of its main metric.
  const own = Object.keys(judging?.judges ?? {});
  return [...new Set([headline, ...own])].map((id) => ({
    id,
    better: metrics.find((one) => one.id === id)?.better ?? ("higher" as const),
    composite: composites?.[id],
  }));
}
