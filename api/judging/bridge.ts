import type { Answer } from "#shared/contracts/answer.ts";
import type { Bridge, BridgeRequest } from "#shared/contracts/judging/bridge.ts";
import type { RunJudging } from "#shared/contracts/judging/judging.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { RunScores } from "#shared/contracts/run-scores.ts";
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
import type { BridgeRecord, PickedAnswers } from "./schema.ts";

/** Models of a board whose answers are judged, fewer if a message may send few queries, of which each takes some. */
const MOST_RUNS = 20;
const QUERIES_A_RUN = 8;
/** A message judges for so long, and holds the bridge a little longer. */
const JUDGING_MS = 240_000;
const HELD_MS = 300_000;
/** Answers judged at the same time. */
const AT_ONCE = 5;
/** More than a run has: answers are in order of run and sample, so that the same bridge has the same intervals. */
const MOST_SAMPLES = 1e9;
/** Rows per read: D1 allows 100 parameters. */
const PAGE = 50;

const iso = (ms: number) => new Date(ms).toISOString();

/** A bridge as the API shows it. */
export const bridgeView = (bridge: BridgeRecord): Bridge => ({
  id: bridge.id,
  board: bridge.boardId,
  from: bridge.from,
  to: bridge.to,
  status: bridge.status,
  statusReason: bridge.statusReason,
  progress: { total: bridge.total, done: bridge.done },
  shifts: bridge.shifts ?? [],
  startedAt: iso(bridge.startedAt),
  finishedAt: bridge.finishedAt === null ? null : iso(bridge.finishedAt),
});

/** Bridges shown with a board. */
const SHOWN = 3;

/** The newest finished bridges of a judged board. */
export async function boardBridges(
  { judges }: Pick<Platform, "judges">,
  { id, judging }: Pick<BoardRecord, "id" | "judging">,
): Promise<Bridge[]> {
  if (judging === null) return [];
  const found = await judges.bridgesOf(id, SHOWN);
  return found.filter(({ status }) => status === "finished").map(bridgeView);
}

/**
 * Starts a bridge: stored answers of a board, spread evenly over its scores, are judged by new judges. Never calls a
 * model under test. What is judged is not paid for again when the board is re-published with the same judges.
 */
export async function startBridge(
  platform: Platform,
  board: BoardRecord,
  { answers, options }: BridgeRequest,
): Promise<Result<BridgeRecord, RunRefusal>> {
  const picked = await pickAnswers(platform, board, answers);
  const first = picked[0] ? await platform.runs.get(picked[0].run) : null;
  if (first === null) {
    const detail = `board "${board.id}" has no answers that could be judged`;
    return err({ type: "conflict", detail });
  }
  const rescoring = await rescoringOf(platform, first, options);
  if (!rescoring.ok) return rescoring;
  const { judging } = rescoring.value;
  if (judging === null) {
    return err({ type: "conflict", detail: `the answers of board "${board.id}" are not judged` });
  }
  const bridge: BridgeRecord = {
    id: platform.newId("bri"),
    boardId: board.id,
    from: board.judging,
    to: judging,
    options,
    picked,
    status: "judging",
    statusReason: null,
    total: picked.reduce((sum, { samples }) => sum + samples.length, 0),
    done: 0,
    shifts: null,
    startedAt: platform.now(),
    finishedAt: null,
    heldUntil: 0,
  };
  await platform.judges.startBridge(bridge);
  await platform.queues.finish(bridgeMessage(bridge.id));
  return ok(bridge);
}

/** Scored answers of a board, evenly spaced in the order of their scores. */
async function pickAnswers(
  platform: Platform,
  { entries }: Pick<BoardRecord, "entries">,
  count: number,
): Promise<PickedAnswers[]> {
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
  const chosen = evenlySpaced(scored.length, count).map((place) => scored[place]!);
  return [...Map.groupBy(chosen, ({ run }) => run)].map(([run, its]) => ({
    run,
    samples: its.map(({ sample }) => sample),
  }));
}

/** The same answers by old and by new judges. */
interface BridgeScores {
  before: CollectedScores;
  after: CollectedScores;
  done: number;
  /** Of the message, at all judges. */
  requests: RequestCount;
}

/**
 * Judges the answers of a bridge as far as the time of one message goes; another one continues. Judgments are stored,
 * so none is requested twice. Can be repeated and interrupted.
 */
export async function workOnBridge(platform: Platform, id: string): Promise<void> {
  const now = platform.now();
  const bridge = await platform.judges.takeBridge(id, now, now + HELD_MS);
  if (bridge === null) return;
  const requests = { sent: 0, most: platform.settings.plan.requests };
  const scores: BridgeScores = { before: noScores(), after: noScores(), done: 0, requests };
  try {
    for (const place of bridge.picked.keys()) {
      await judgePicked(platform, bridge, place, scores, now + JUDGING_MS);
    }
  } catch (error) {
    const until = error instanceof Postponed ? error.until : platform.now();
    await platform.judges.leaveBridge(id, until, Math.max(bridge.done, scores.done));
    if (!(error instanceof Postponed)) throw error;
    if (until <= platform.now()) await platform.queues.finish(bridgeMessage(id));
    return;
  }
  await finishBridge(platform, bridge, scores);
}

async function finishBridge(
  platform: Platform,
  bridge: BridgeRecord,
  { before, after, done }: BridgeScores,
): Promise<void> {
  const board = await platform.boards.get(bridge.boardId);
  const suite = platform.suites.byId(board?.suite ?? "");
  const metrics = board && suite ? judgedMetrics(suite, board.headline) : [];
  const isEmpty = before.rows.size === 0;
  const shifts = isEmpty
    ? []
    : judgeShifts(runScores(before), runScores(after), metrics, bridge.id);
  const changed = new Set(suite ? changedMetrics(suite, bridge) : []);
  const isJudged = shifts.some(({ metric }) => changed.has(metric));
  const statusReason = isJudged ? null : "the new judges gave no judgment";
  const finishedAt = platform.now();
  await platform.judges.endBridge(bridge, { done, shifts, statusReason, finishedAt });
  await platform.publications.markChanged();
}

/** Adds the scores of one run's answers; withdrawn runs are left out. Throws `Postponed`. */
async function judgePicked(
  platform: Platform,
  { to, options, picked }: BridgeRecord,
  place: number,
  scores: BridgeScores,
  until: number,
): Promise<void> {
  const { run: runId, samples } = picked[place]!;
  const run = await platform.runs.get(runId);
  const rescoring = run && (await rescoringOf(platform, run, options));
  if (!rescoring?.ok || run === null || run.deletedAt !== null) return;
  const own = { ...run, options: rescoring.value.options, judging: to, sealedSecrets: null };
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
  const asking = { ...askingOf(platform, work), stopped: async () => {} };
  const judged = ownJudgments(await judgeAnswer(platform, work, asking, { sample, answer }));
  // Answers of several models to a sample are alike, so that the sample is the unit.
  const tags = { cluster: plan.heads[number]?.tags?.["cluster"] ?? id };
  const order = place * MOST_SAMPLES + seq;
  const its = { seq: order, id: `${run.id} ${id}`, tags, call: callOf(answer) };
  scores.done += 1;
  const valuesOf = (one: Answer) => suite.sampleValues(suite.score(sample, one, options));
  collectScores(scores.before, its, valuesOf(answer));
  collectScores(scores.after, its, valuesOf(judged));
}

/** Without judgments of the fallback: the bridge is about the judge in whose place it judged. */
function ownJudgments({ judgments = {}, ...answer }: Answer): Answer {
  const own = Object.entries(judgments).map(([name, records]) => [
    name,
    records.filter(({ replaced }) => replaced === undefined),
  ]);
  return { ...answer, judgments: Object.fromEntries(own) };
}

/** The headline, and the main metric of each judge. */
function judgedMetrics({ metrics, composites, judging }: Suite, headline: string) {
  const own = (judging?.judges ?? []).map(({ figures: [main] }) => main.metric.id);
  return [...new Set([headline, ...own])].map((id) => ({
    id,
    better: metrics.find((one) => one.id === id)?.better ?? ("higher" as const),
    composite: composites?.[id],
  }));
}

/** The main metrics of judges that are others than before. */
function changedMetrics({ judging }: Suite, { from, to }: BridgeRecord): string[] {
  const names = (its: RunJudging | null, id: string) =>
    (its?.judges[id]?.routes ?? []).map(({ provider, model }) => `${provider}:${model}`).join();
  const changed = (judging?.judges ?? []).filter(({ id }) => names(from, id) !== names(to, id));
  return changed.map(({ figures: [main] }) => main.metric.id);
}
