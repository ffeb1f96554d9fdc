import { gradeValue } from "#shared/contracts/judging/judge.ts";
import { answerHash, type People, ratedJudges } from "#shared/contracts/judging/rating.ts";
import type { RunScores } from "#shared/contracts/runs/run-scores.ts";
import { peopleOf, type RatedAnswer } from "#shared/measures/judging/people.ts";
import { readStored } from "#shared/measures/report/run/read-stored.ts";
import { openRun } from "../engine/run-work.ts";
import { boardMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import { withMemory } from "../platform/with-memory.ts";
import { areAnswersGone, scoresKey } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { type StoredSample, storedSamples } from "../runs/stored-samples.ts";

/** Maximum runs summed up per invocation. */
const RUNS_AT_ONCE = 5;

/** Sums up the ratings of runs that got new ones, and ranks their boards again. */
export async function sumDueRatings(platform: Platform): Promise<void> {
  for (const id of await platform.ratings.due(RUNS_AT_ONCE)) {
    const run = await platform.runs.get(id);
    if (run === null || run.ratedAt === null) continue;
    const people = await withMemory(platform, 1, () => peopleOfRun(platform, run));
    await platform.ratings.settle(id, run.ratedAt, people);
    await platform.publications.markChanged();
    if (run.boardId !== null) await platform.queues.finish(boardMessage(run.boardId));
  }
}

/** Null if there is nothing to compute, or the answers were deleted. */
async function peopleOfRun(platform: Platform, run: RunRecord): Promise<People | null> {
  if (areAnswersGone(run, platform.settings, platform.now())) return null;
  const stored = await platform.ratings.rows(await platform.ratings.rootOf(run.id));
  const scores = await platform.objects.get<RunScores>(scoresKey(run));
  const { suite, plan } = await openRun(platform, { ...run, sealedSecrets: null });
  if (scores === null || suite.judgedValues === undefined) return null;
  const judges = ratedJudges(suite.judging);
  const judgeOf = new Map(judges.map((judge) => [judge.id, judge]));
  const bySeq = Map.groupBy(stored, ({ seq }) => seq);
  const rated: RatedAnswer[] = [];
  for await (const { seq, id, answer, score } of answersAt(platform, run, [...bySeq.keys()])) {
    const hash = answerHash(answer);
    const own = bySeq.get(seq)!.filter((rating) => rating.answerHash === hash);
    const valueIn = ({ metric, score: grade }: (typeof own)[number]) => {
      const judge = judgeOf.get(metric);
      return judge ? gradeValue(judge, grade) : grade;
    };
    const judged = readStored(suite, run, () => suite.judgedValues!(score as never), []);
    const byMetric = Map.groupBy(own, ({ metric }) => metric);
    const ratings = [...byMetric].map(([metric, its]) => [metric, its.map(valueIn)]);
    const tags = plan.heads[Math.floor(seq / plan.repeats)]?.tags ?? {};
    rated.push({ sample: { id, tags }, judged, ratings: Object.fromEntries(ratings) });
  }
  return {
    ratings: stored.length,
    answers: rated.length,
    raters: new Set(stored.map(({ rater }) => rater)).size,
    ...peopleOf(rated, { id: run.id, scores, judges }),
  };
}

/** Rows read at once. */
const ROWS = 2_000;

/** The stored answers at some positions of a run, in any order. */
export async function* answersAt(
  { runs, objects }: Pick<Platform, "runs" | "objects">,
  { id }: Pick<RunRecord, "id">,
  seqs: readonly number[],
): AsyncGenerator<StoredSample> {
  for (let i = 0; i < seqs.length; i += ROWS) {
    yield* storedSamples(objects, await runs.samplesAt(id, seqs.slice(i, i + ROWS)));
  }
}
