import { coverageFloor } from "#shared/contracts/coverage-floor.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { coverageReason } from "./coverage-reason.ts";

type Standing = "rank" | "unrankedReason" | "rankInterval" | "best" | "tieGroup";

export type UnrankedEntry = Omit<LeaderboardEntry, Standing> & {
  /** Answers made elsewhere with an unknown prompt can't be compared. */
  promptDeclared: boolean;
};

/**
 * Ranks entries by headline value, equal values sharing a rank; those that can't be compared
 * follow with the reason. Ties are listed by slug. How sure the ranks are is not said yet.
 */
export function rankEntries(
  entries: readonly UnrankedEntry[],
  better: "higher" | "lower",
): LeaderboardEntry[] {
  const sign = better === "higher" ? -1 : 1;
  const sorted = [...entries].sort(
    (a, b) =>
      sign * ((a.headline.value ?? 0) - (b.headline.value ?? 0)) ||
      (a.model.slug < b.model.slug ? -1 : 1),
  );
  const ranked = sorted.filter((entry) => reasonAgainst(entry) === null);
  const unranked = sorted.filter((entry) => reasonAgainst(entry) !== null);
  const rankOf = (entry: UnrankedEntry) =>
    1 + ranked.findIndex((other) => other.headline.value === entry.headline.value);
  return [
    ...ranked.map((entry) => listed(entry, rankOf(entry), null)),
    ...unranked.map((entry) => listed(entry, null, reasonAgainst(entry))),
  ];
}

function reasonAgainst(entry: UnrankedEntry): string | null {
  if (entry.headline.value === null) return "no sample could be scored";
  if (entry.coverage < coverageFloor) return coverageReason(entry.coverage);
  if (!entry.promptDeclared)
    return "the answers' prompt was not declared, or is not the suite's (promptHash)";
  return null;
}

function listed(
  { promptDeclared: _, ...entry }: UnrankedEntry,
  rank: number | null,
  unrankedReason: string | null,
): LeaderboardEntry {
  return { rank, rankInterval: null, best: null, tieGroup: null, unrankedReason, ...entry };
}
