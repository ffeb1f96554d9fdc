import { addExact, type ExactSum, exactValue, noSum } from "../../stats/exact-sum.ts";

/** The numbers of an answer that figures follow from, by name: whole ones, and any others from 0. */
export interface Columns<Name extends string> {
  whole: readonly Name[];
  fractions: readonly Name[];
}

/** Sums of columns that are the same in any order of adding. */
export interface ColumnSums {
  whole: number[];
  fractions: ExactSum[];
}

/**
 * Where each column stands among the sums that statistics take.
 * @example columnAt({ whole: ["hits"], fractions: ["score"] }).score // 1
 */
export function columnAt<Name extends string>(columns: Columns<Name>): Record<Name, number> {
  const entries = [...columns.whole, ...columns.fractions].map((name, i) => [name, i]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/**
 * Numbers by name in the order of the columns.
 * @example inOrder({ whole: ["hits"], fractions: ["score"] }, { score: 0.5, hits: 1 }) // [1, 0.5]
 */
export function inOrder<Name extends string>(
  { whole, fractions }: Columns<Name>,
  numbers: Readonly<Record<Name, number>>,
): number[] {
  return [...whole, ...fractions].map((name) => numbers[name]);
}

/**
 * The sums of no answers.
 * @example columnValues(noColumnSums({ whole: ["hits"], fractions: [] })) // [0]
 */
export function noColumnSums({ whole, fractions }: Columns<string>): ColumnSums {
  return { whole: whole.map(() => 0), fractions: fractions.map(noSum) };
}

/**
 * Adds an answer's numbers, in the order of the columns.
 * @example addColumns(sums, [1, 0.5])
 */
export function addColumns({ whole, fractions }: ColumnSums, values: readonly number[]): void {
  for (let k = 0; k < whole.length; k++) whole[k]! += values[k]!;
  fractions.forEach((sum, k) => {
    addExact(sum, values[whole.length + k]!);
  });
}

/**
 * The sums in the order of the columns.
 * @example columnValues({ whole: [2], fractions: [[0, 1, 0, 0, 0]] }) // [2, 1]
 */
export function columnValues({ whole, fractions }: ColumnSums): number[] {
  return [...whole, ...fractions.map(exactValue)];
}
