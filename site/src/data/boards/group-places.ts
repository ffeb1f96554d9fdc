import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";

/** An entry's place among the tie groups of its board. */
export interface GroupPlace {
  /** The first of a group of models that do not differ significantly from it, below another group. */
  startsGroup: boolean;
  /** The first of its group, if that is another model with another rank. */
  tiedWith: { rank: number; name: string } | null;
}

type Entry = Pick<LeaderboardEntry, "run" | "rank" | "tieGroup" | "model">;

/** The places of a board's ranked entries in their tie groups, by run. Linear in entries. */
export function groupPlaces(entries: readonly Entry[]): ReadonlyMap<string, GroupPlace> {
  const firsts = new Map<number, Entry>();
  return new Map<string, GroupPlace>(
    entries.map((entry, i): [string, GroupPlace] => {
      const { run, rank, tieGroup } = entry;
      if (tieGroup === null) return [run, { startsGroup: false, tiedWith: null }];
      const first = firsts.get(tieGroup);
      if (first === undefined) {
        firsts.set(tieGroup, entry);
        return [run, { startsGroup: i > 0, tiedWith: null }];
      }
      const isOther = first.rank !== null && first.rank !== rank;
      const tiedWith = isOther ? { rank: first.rank ?? 0, name: first.model.name } : null;
      return [run, { startsGroup: false, tiedWith }];
    }),
  );
}
