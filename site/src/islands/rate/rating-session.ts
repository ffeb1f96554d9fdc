import type { Rating, RatingTasks } from "#shared/contracts/judging/rating.ts";

type Task = RatingTasks["tasks"][number] & { run: string };
type RatedMetric = RatingTasks["metrics"][number];

/** What the page shows: one metric of one answer. */
export interface Shown {
  task: Task;
  metric: RatedMetric;
  /** Place of the metric among those of the answer, from 1, and their number. */
  place: number;
  places: number;
  /** The score that was given before the rater went back. */
  given: number | null;
  progress: RatingTasks["progress"];
}

/** Calls of the API. */
export interface RatingCalls {
  tasks(run: string): Promise<RatingTasks>;
  save(run: string, ratings: Rating[]): Promise<unknown>;
}

/**
 * One rater's way through the answers of some runs, metric by metric. The ratings of an answer are saved with its last
 * metric; the service knows what is left, so that a rater can stop at any time and continue on another machine.
 */
export class RatingSession {
  readonly #runs: readonly string[];
  readonly #rater: string;
  readonly #calls: RatingCalls;
  /** By run; a run without tasks has none left. */
  readonly #known = new Map<string, RatingTasks>();
  #scores = new Map<string, number>();
  #task: Task | null = null;
  #at = 0;

  constructor(runs: readonly string[], rater: string, calls: RatingCalls) {
    this.#runs = runs;
    this.#rater = rater;
    this.#calls = calls;
  }

  /** The first answer; null if none is left. */
  start(): Promise<Shown | null> {
    return this.#next();
  }

  /** Rates the shown metric; resolves to what comes next, null after the last answer. */
  async rate(score: number): Promise<Shown | null> {
    const task = this.#task!;
    this.#scores.set(task.metrics[this.#at]!, score);
    if (this.#at + 1 < task.metrics.length) {
      this.#at++;
      return this.shown();
    }
    const { sampleId, answerHash } = task;
    const ratings = [...this.#scores].map(([metric, its]) => ({
      sampleId,
      answerHash,
      metric,
      score: its,
      rater: this.#rater,
    }));
    await this.#calls.save(task.run, ratings);
    const known = this.#known.get(task.run)!;
    known.progress.rated++;
    known.tasks.shift();
    return this.#next();
  }

  /** Back to the metric before, within the same answer. */
  back(): Shown | null {
    this.#at = Math.max(0, this.#at - 1);
    return this.shown();
  }

  shown(): Shown | null {
    const task = this.#task;
    if (task === null) return null;
    const id = task.metrics[this.#at]!;
    const all = [...this.#known.values()].map(({ progress }) => progress);
    const sum = (of: (one: Shown["progress"]) => number) => all.reduce((n, one) => n + of(one), 0);
    return {
      task,
      metric: this.#known.get(task.run)!.metrics.find((metric) => metric.id === id)!,
      place: this.#at + 1,
      places: task.metrics.length,
      given: this.#scores.get(id) ?? null,
      progress: { rated: sum(({ rated }) => rated), total: sum(({ total }) => total) },
    };
  }

  /** Of several runs, the one with the fewest rated answers: their models take turns. */
  async #next(): Promise<Shown | null> {
    for (const run of this.#runs) {
      const known = this.#known.get(run);
      if (known === undefined || known.tasks.length === 0) {
        this.#known.set(run, await this.#calls.tasks(run));
      }
    }
    const left = [...this.#known].filter(([, { tasks }]) => tasks.length > 0);
    const [first] = left.sort(([, a], [, b]) => a.progress.rated - b.progress.rated);
    this.#task = first === undefined ? null : { ...first[1].tasks[0]!, run: first[0] };
    this.#at = 0;
    this.#scores = new Map();
    return this.shown();
  }
}
