import { LineDigests } from "#shared/contracts/boards/line-digests.ts";
import { wholeAnswerLine } from "#shared/contracts/submissions/whole-answer.ts";
import type { RunFacts, ScoredSample, Suite } from "#shared/contracts/suite.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
  runScores,
} from "#shared/measures/comparison/collect-scores.ts";
import { callOf } from "#shared/measures/performance/call-totals.ts";
import {
  addPoint,
  noPoints,
  type PointsTally,
  pointsOf,
} from "#shared/measures/performance/run-points.ts";
import {
  countServed,
  type ServedTally,
  servedModels,
} from "#shared/measures/performance/served-models.ts";
import {
  addToTimeline,
  emptyTimeline,
  type TimelineTally,
  timelineOf,
} from "#shared/measures/performance/timeline.ts";
import { isWatched } from "../drift/series.ts";
import { dealOut, judgingStart, unitsToJudge } from "../judging/units.ts";
import { boardMessage, driftMessage, laneMessages } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { type StatementFacts, signedStatement } from "../publication/statement.ts";
import { partsKey, type RunParts, scoresKey, statementFactsKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type StoredSample, storedSamples } from "../runs/stored-samples.ts";
import { announceWaiting } from "../webhooks/announce.ts";
import { isJudgedLater } from "./execute-unit.ts";
import { openRun, type RunWork } from "./run-work.ts";

/** Rows read at once. */
const PAGE = 2_000;

/** Sums up a run whose samples are all in. Can run any number of times, to the same bytes. */
export async function finalizeRun(platform: Platform, runId: string): Promise<void> {
  await platform.runs.recount(runId);
  const run = await platform.runs.get(runId);
  if (run === null || run.done < run.total) return;
  if (run.status !== "running" && run.status !== "queued") return;
  const work = await openRun(platform, { ...run, sealedSecrets: null });
  if (isJudgedLater(run)) return beginJudging(platform, work);
  const wallMs = await platform.runs.lastDoneMs(runId);
  const timeline = wallMs === null ? null : emptyTimeline(wallMs);
  const answers = new LineDigests(run.total);
  const served: ServedTally = new Map();
  const tallies = { timeline, scores: noScores(), points: noPoints(), answers, served };
  const state = await aggregateSamples(platform, work, tallies);
  const summary = work.suite.aggregate.finish(state, factsOf(run, work, wallMs));
  const parts: RunParts = {
    breakdown: summary.breakdown,
    timeline: timeline && timelineOf(timeline),
    points: pointsOf(tallies.points),
  };
  const facts: StatementFacts = { answersSha256: answers.digest(), wallMs };
  await platform.objects.put(scoresKey(run), runScores(tallies.scores));
  await platform.objects.put(partsKey(run), parts);
  await platform.objects.put(statementFactsKey(run), facts);
  const { codeRevision } = platform.settings;
  const summed = { ...summary, codeRevision, served: servedModels(served) };
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

const factsOf = (
  run: RunRecord,
  { options }: RunWork,
  wallMs: number | null,
): RunFacts<unknown> => ({
  runId: run.id,
  options,
  prices: run.prices,
  wallMs,
  hybrid: run.hybrid,
});

/** Tallies of a run's samples besides the suite's own state. */
interface Tallies {
  timeline: TimelineTally | null;
  scores: CollectedScores;
  points: PointsTally;
  answers: LineDigests;
  served: ServedTally;
}

async function aggregateSamples(
  platform: Platform,
  work: RunWork,
  { timeline, scores, points, answers, served }: Tallies,
): Promise<unknown> {
  const { suite, plan } = work;
  const { aggregate, sampleValues } = suite;
  let state: unknown = aggregate.empty();
  let after = -1;
  for (;;) {
    const rows = await platform.runs.samples(work.run.id, after, PAGE);
    for await (const sample of storedSamples(platform.objects, rows)) {
      const scored = scoredSample(work, sample);
      collectScores(scores, scored, sampleValues(scored.score));
      const repeat = sample.seq % plan.repeats;
      answers.set(sample.seq, wholeAnswerLine(sample, repeat));
      countServed(served, sample.answer);
      addPoint(points, { ...sample, repeat }, () => featuresOf(suite, sample));
      state = aggregate.add(state, scored);
    }
    if (timeline !== null) for (const row of rows) addToTimeline(timeline, row);
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return state;
    after = last.seq;
  }
}

/** Of a unit that was given up there is no detail. */
const featuresOf = (
  suite: Suite,
  { score }: StoredSample,
): Readonly<Record<string, number | string>> =>
  score.detail === null ? {} : (suite.features?.(score) ?? {});

function scoredSample(work: RunWork, stored: StoredSample): ScoredSample {
  const head = work.plan.heads[Math.floor(stored.seq / work.plan.repeats)];
  const { seq, id, score, answer } = stored;
  return { seq, id, tags: head?.tags ?? {}, score, call: callOf(answer) };
}

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
