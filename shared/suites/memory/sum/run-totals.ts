import type { Estimate } from "../../../contracts/metric.ts";
import { judges } from "../../../judges/judges.ts";
import type { RunBasis } from "../../../measures/run-sums/run-basis.ts";
import type { RunState } from "../../../measures/run-sums/run-state.ts";
import { at } from "./columns.ts";

/** Sums by the name of a column. */
export type Sums = (name: string) => number;

const added = (columns: readonly ArrayLike<number>[]): Sums => {
  const sums = columns.map((column) => Array.from(column).reduce((a, b) => a + b, 0));
  return (name) => sums[at[name]!] ?? 0;
};

/**
 * Sums over samples, repeats averaged.
 * @example sampleSums(basis)("scored") // samples with a score
 */
export const sampleSums = ({ columns }: RunBasis): Sums => added(columns);

/**
 * Sums over all answers, each counted by itself.
 * @example answerSums(state, basis, 1)("answers") // 40
 */
export function answerSums({ rows, blocks }: RunState, basis: RunBasis, repeats: number): Sums {
  if (blocks !== null) {
    const sum = sampleSums(basis);
    return (name) => sum(name) * repeats;
  }
  return added(Object.values(at).map((place) => rows.map(({ values }) => values[place]!)));
}

/**
 * How long generation and judging took, in ms, how much is unjudged, and what judges made up, by metric id.
 * `sum` is over answers; `samples` is what shares rest on; `isMetered` says whether calls of judges are known.
 * Source: docs/spec/memory.md, judges.
 * @example totalEstimates(sum, 40, true)["evaluationTime"]?.value
 */
export function totalEstimates(
  sum: Sums,
  samples: number,
  isMetered: boolean,
): Record<string, Estimate> {
  const answers = sum("answers");
  const judging = sum("judgingMs");
  const known = (value: number, n: number, whole: number): Estimate => ({
    value: n === 0 ? null : value,
    interval: null,
    n,
    coverage: n === 0 ? 0 : n / whole,
  });
  const judged = isMetered ? answers : 0;
  const timed = sum("timed");
  const over = (column: string) => judges.reduce((all, { id }) => all + sum(`${id}.${column}`), 0);
  return {
    generationTime: known(sum("generatingMs"), timed, answers),
    evaluationTime: known(judging, judged, answers),
    totalTime: known(sum("generatingMs") + judging, timed || judged, answers),
    unjudgedRate: known(1 - over("judged") / (answers * judges.length), samples, samples),
    unsupportedEvidence: known(over("unsupported"), samples, samples),
  };
}
