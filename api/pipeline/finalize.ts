import { callOf } from "#shared/contracts/answer.ts";
import type { RunFacts, ScoredSample } from "#shared/contracts/suite.ts";
import {
  type CollectedScores,
  collectScores,
  noScores,
  runScores,
} from "#shared/measures/comparison/collect-scores.ts";
import {
  addToTimeline,
  emptyTimeline,
  type TimelineTally,
  timelineOf,
} from "#shared/measures/timeline.ts";
import { beginJudging } from "./judging/begin-judging.ts";
import { isJudgedLater } from "./lanes/carry-unit.ts";
import { openRun, type RunWork } from "./lanes/run-work.ts";
import { boardMessage } from "./messages.ts";
import type { Ports, RunRecord, StoredSample } from "./ports.ts";
import { breakdownKey, scoresKey, timelineKey } from "./runs/run-objects.ts";
import { storedSamples } from "./runs/stored-samples.ts";

/** Rows read at once. */
const PAGE = 2_000;

/** Sums up a run whose samples are all in. Can run any number of times, to the same bytes. */
export async function finalizeRun(ports: Ports, runId: string): Promise<void> {
  await ports.runs.recount(runId);
  const run = await ports.runs.get(runId);
  if (run === null || run.done < run.total) return;
  if (run.status !== "running" && run.status !== "queued") return;
  const work = await openRun(ports, { ...run, sealedSecrets: null });
  if (isJudgedLater(run)) return beginJudging(ports, work);
  const wallMs = await ports.runs.lastDoneMs(runId);
  const tally = wallMs === null ? null : emptyTimeline(wallMs);
  const scores = noScores();
  const state = await aggregateSamples(ports, work, tally, scores);
  const summary = work.suite.aggregate.finish(state, factsOf(run, work, wallMs));
  await ports.objects.put(scoresKey(run), runScores(scores));
  await ports.objects.put(breakdownKey(run), summary.breakdown);
  await ports.objects.put(timelineKey(run), tally && timelineOf(tally));
  if (!(await ports.runs.finish(run, summary.metrics, ports.now()))) return;
  if (run.visibility === "unlisted" && run.canary === null) return;
  if (run.boardId === null) await ports.publications.markChanged();
  await ports.queues.finish(boardMessage(run.boardId));
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

async function aggregateSamples(
  ports: Ports,
  work: RunWork,
  tally: TimelineTally | null,
  scores: CollectedScores,
): Promise<unknown> {
  const { aggregate, sampleValues } = work.suite;
  let state: unknown = aggregate.empty();
  let after = -1;
  for (;;) {
    const rows = await ports.runs.samples(work.run.id, after, PAGE);
    for await (const sample of storedSamples(ports.objects, rows)) {
      const scored = scoredSample(work, sample);
      collectScores(scores, scored, sampleValues(scored.score));
      state = aggregate.add(state, scored);
    }
    if (tally !== null) for (const row of rows) addToTimeline(tally, row);
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return state;
    after = last.seq;
  }
}

function scoredSample(work: RunWork, stored: StoredSample): ScoredSample {
  const head = work.plan.heads[Math.floor(stored.seq / work.plan.repeats)];
  const { seq, id, score, answer } = stored;
  return { seq, id, tags: head?.tags ?? {}, score, call: callOf(answer) };
}
