import type { SampleRow } from "#shared/contracts/run.ts";

export interface SamplePair {
  id: string;
  x: number;
  y: number;
}

/** Mean score of each sample that has scores, because repeats do not count as separate samples. */
function scoresOf(rows: readonly Pick<SampleRow, "id" | "score">[]): Map<string, number> {
  const scored = rows.flatMap(({ id, score }) => (score === null ? [] : [{ id, score }]));
  const mean = (its: { score: number }[]) =>
    its.reduce((sum, { score }) => sum + score, 0) / its.length;
  const byId = Map.groupBy(scored, ({ id }) => id);
  return new Map([...byId].map(([id, its]) => [id, mean(its)]));
}

/** The samples with a score in both runs, in the order of the first. */
export function samplePairs(
  first: readonly Pick<SampleRow, "id" | "score">[],
  second: readonly Pick<SampleRow, "id" | "score">[],
): SamplePair[] {
  const others = scoresOf(second);
  return [...scoresOf(first)].flatMap(([id, x]) => {
    const y = others.get(id);
    return y === undefined ? [] : [{ id, x, y }];
  });
}

/** The pairs with the largest differences, ties in the given order. */
export const furthestApart = (pairs: readonly SamplePair[], most: number): SamplePair[] =>
  pairs
    .filter(({ x, y }) => x !== y)
    .toSorted((a, b) => Math.abs(b.x - b.y) - Math.abs(a.x - a.y))
    .slice(0, most);
