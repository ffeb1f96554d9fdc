import type { Statistic } from "../../stats/bootstrap/statistics.ts";
import type { RunBasis } from "./run-basis.ts";
import type { RunState } from "./run-state.ts";

/** Sums by the name of a column; 0 for another name. */
export type NamedSums = (name: string) => number;

/**
 * Index of each column in the sums.
 * @example columnAt(["hits", "score"]).score // 1
 */
export function columnAt<Name extends string>(columns: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(columns.map((name, k) => [name, k])) as Record<Name, number>;
}

/**
 * Statistics that divide one summed column by another; null if the denominator is 0.
 * @example ratioOf(columnAt(["hits", "score"]))("score", "hits")([2, 1]) // 0.5
 */
export const ratioOf =
  <Name extends string>(at: Readonly<Record<Name, number>>) =>
  (part: Name, whole: Name): Statistic => {
    const [of, over] = [at[part], at[whole]];
    return (sums) => (sums[over] === 0 ? null : sums[of]! / sums[over]!);
  };

/**
 * Sums of columns by name; `at` has the index of each name. Linear.
 * @example namedSums([[1, 2]], { hits: 0 })("hits") // 3
 */
export function namedSums(
  columns: readonly ArrayLike<number>[],
  at: Readonly<Record<string, number>>,
): NamedSums {
  const sums = columns.map((column) => Array.from(column).reduce((a, b) => a + b, 0));
  return (name) => sums[at[name]!] ?? 0;
}

/**
 * Sums over all answers, each counted separately, whereas the sums of a basis average repeats. Linear.
 * @example answerSums(state, basis, at, 1)("answers") // 40
 */
export function answerSums(
  { rows, blocks }: RunState,
  { columns }: RunBasis,
  at: Readonly<Record<string, number>>,
  repeats: number,
): NamedSums {
  if (blocks !== null) {
    const sum = namedSums(columns, at);
    return (name) => sum(name) * repeats;
  }
  const places = Object.values(at);
  return namedSums(
    places.map((place) => rows.map(({ values }) => values[place]!)),
    at,
  );
}
