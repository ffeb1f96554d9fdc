import { emptyAnswer } from "../../../contracts/answer.ts";
import type { RunScores } from "../../../contracts/runs/run-scores.ts";
import type { Composite } from "../../../contracts/suite.ts";
import { collectScores, noScores, runScores } from "../collect-scores.ts";

const weights = { easy: 0.2, medium: 0.3, hard: 0.5 };
type Level = keyof typeof weights;
export const levels = Object.keys(weights) as Level[];

/** An answer to a sample of a level. */
export interface LevelAnswer {
  level: Level;
  f1: number;
  timeMs: number;
  onDevice: boolean;
}

const levelScore = (f1: number, timeMs: number, onDevice: number) =>
  0.6 * f1 + 0.15 * Math.max(0, 1 - timeMs / 500) + 0.25 * onDevice;

/** A weighted mean of the levels' means; levels without samples have no weight. */
const total: Composite = {
  parts: levels.flatMap((level) => [`${level}F1`, `${level}Time`, `${level}OnDevice`]),
  value(values) {
    const present = levels.flatMap((level, i) => {
      const [f1, timeMs, onDevice] = values.slice(3 * i) as (number | null)[];
      return typeof f1 === "number" && typeof timeMs === "number" && typeof onDevice === "number"
        ? [{ weight: weights[level], score: levelScore(f1, timeMs, onDevice) }]
        : [];
    });
    const weight = present.reduce((sum, one) => sum + one.weight, 0);
    return weight === 0
      ? null
      : present.reduce((sum, one) => sum + one.weight * one.score, 0) / weight;
  },
};

/** Ranks by the total. */
export const byTotal = { id: "total", better: "higher" as const, composite: total };

/** A run with these answers to samples s0, s1, …; null: no answer. */
export function levelled(
  run: string,
  answers: readonly (LevelAnswer | null)[],
  clusters: readonly string[] = [],
): { run: string; scores: RunScores } {
  const scores = noScores();
  answers.forEach((answer, seq) => {
    const cluster = clusters[seq];
    const place = { seq, id: `s${seq}`, tags: cluster === undefined ? {} : { cluster } };
    collectScores(scores, { ...place, call: emptyAnswer }, valuesOf(answer));
  });
  return { run, scores: runScores(scores) };
}

function valuesOf(answer: LevelAnswer | null) {
  if (answer === null) return { total: null };
  const { f1, timeMs, onDevice } = answer;
  const parts = levels.map((level) => {
    const over = Number(level === answer.level);
    return {
      [`${level}F1`]: { of: over * f1, over },
      [`${level}Time`]: { of: over * timeMs, over },
      [`${level}OnDevice`]: { of: over * Number(onDevice), over },
    };
  });
  return { total: levelScore(f1, timeMs, Number(onDevice)), ...Object.assign({}, ...parts) };
}

/** The total of answers, computed by its definition. */
export function totalOf(answers: readonly LevelAnswer[]): number {
  let [sum, weight] = [0, 0];
  for (const level of new Set(answers.map((answer) => answer.level))) {
    const own = answers.filter((answer) => answer.level === level);
    const mean = (of: (answer: LevelAnswer) => number) =>
      own.reduce((all, answer) => all + of(answer), 0) / own.length;
    const [f1, timeMs] = [mean((one) => one.f1), mean((one) => one.timeMs)];
    const device = mean((one) => Number(one.onDevice));
    sum += weights[level] * (0.6 * f1 + 0.15 * Math.max(0, 1 - timeMs / 500) + 0.25 * device);
    weight += weights[level];
  }
  return sum / weight;
}
