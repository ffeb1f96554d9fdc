import type { Rating, RatingTasks } from "#shared/contracts/judging/rating.ts";

/** The page's state: one metric of one answer. */
export interface Shown extends Pick<RatingTasks, "progress"> {
  run: string;
  task: RatingTasks["tasks"][number];
  metrics: RatingTasks["metrics"];
  /** Index of the metric among those of the task. */
  at: number;
  scores: Readonly<Record<string, number>>;
}

export interface RatingCalls {
  tasks(run: string): Promise<RatingTasks>;
  save(run: string, ratings: Rating[]): Promise<unknown>;
}

/**
 * The next answer for a rater; null if none is left. The service tracks what is left, so a rater can stop at any time
 * and continue on another machine. Of several runs, the one with the fewest rated answers comes first, so that models
 * alternate.
 */
export async function nextAnswer(
  runs: readonly string[],
  calls: RatingCalls,
): Promise<Shown | null> {
  const all = await Promise.all(runs.map(async (run) => ({ run, ...(await calls.tasks(run)) })));
  const sum = (of: "rated" | "total") => all.reduce((n, { progress }) => n + progress[of], 0);
  const [first] = all
    .filter(({ tasks }) => tasks.length > 0)
    .sort((a, b) => a.progress.rated - b.progress.rated);
  if (first === undefined) return null;
  const { run, metrics, tasks } = first;
  const progress = { rated: sum("rated"), total: sum("total") };
  return { run, metrics, task: tasks[0]!, at: 0, scores: {}, progress };
}

export const shownMetric = ({ task, metrics, at }: Shown): RatingTasks["metrics"][number] =>
  metrics.find(({ id }) => id === task.metrics[at])!;

/** The state after the shown metric got a score; null after the last metric, when the answer is saved. */
export async function afterScore(
  shown: Shown,
  score: number,
  rater: string,
  calls: RatingCalls,
): Promise<Shown | null> {
  const { run, task, at } = shown;
  const scores = { ...shown.scores, [task.metrics[at]!]: score };
  if (at + 1 < task.metrics.length) return { ...shown, at: at + 1, scores };
  const { sampleId, answerHash } = task;
  const ratings = Object.entries(scores).map(([metric, its]) => ({
    sampleId,
    answerHash,
    metric,
    score: its,
    rater,
  }));
  await calls.save(run, ratings);
  return null;
}
