import type { Leaderboard } from "#shared/contracts/boards/leaderboard.ts";

/** Maximum runs that the API compares at once. */
export const mostCompared = 20;

/** The runs of a board that are compared pair by pair, in the API's order. */
export type ComparisonRequest = NonNullable<ReturnType<typeof comparisonRequest>>;

/** The first ranked runs of a board; null if there are fewer than two. */
export function comparisonRequest({ id, entries }: Pick<Leaderboard, "id" | "entries">) {
  const ranked = entries.filter(({ rank }) => rank !== null).slice(0, mostCompared);
  if (ranked.length < 2) return null;
  return {
    board: id,
    /** A run is immutable until it is scored again, so these three identify the data of a comparison. */
    runs: ranked
      .map(({ run, finishedAt, scoringVersion }) => ({ run, finishedAt, scoringVersion }))
      .sort((a, b) => (a.run < b.run ? -1 : 1)),
  };
}
