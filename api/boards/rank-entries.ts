import { coverageFloor } from "#shared/contracts/coverage-floor.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { coverageReason } from "./coverage-reason.ts";

/** Where an entry is on its board. */
export type Standing = Pick<
  LeaderboardEntry,
  "rank" | "unrankedReason" | "rankInterval" | "best" | "tieGroup"
>;

/** What ranks an entry. */
interface Rankable {
  model: { slug: string };
  headline: { value: number | null; coverage: number };
  /** Answers made elsewhere with an unknown prompt can't be compared. */
  promptDeclared: boolean;
}

/**
 * Ranks entries by headline value, equal values sharing a rank; those that can't be compared
 * follow with the reason. Ties are listed by slug. How sure the ranks are is not said yet.
 */
export function rankEntries<Entry extends Rankable>(
  entries: readonly Entry[],
  better: "higher" | "lower",
): (Entry & Standing)[] {
  const sign = better === "higher" ? -1 : 1;
  const sorted = [...entries].sort(
    (a, b) =>
      sign * ((a.headline.value ?? 0) - (b.headline.value ?? 0)) ||
      (a.model.slug < b.model.slug ? -1 : 1),
  );
  const ranked = sorted.filter((entry) => reasonAgainst(entry) === null);
  const unranked = sorted.filter((entry) => reasonAgainst(entry) !== null);
  const ranks = new Map<number | null, number>();
  for (const [i, { headline }] of ranked.entries()) {
    if (!ranks.has(headline.value)) ranks.set(headline.value, i + 1);
  }
  return [
    ...ranked.map((entry) => listed(entry, ranks.get(entry.headline.value) ?? null, null)),
    ...unranked.map((entry) => listed(entry, null, reasonAgainst(entry))),
  ];
}

function reasonAgainst({ headline, promptDeclared }: Rankable): string | null {
  if (headline.value === null) return "no sample could be scored";
  if (headline.coverage < coverageFloor) return coverageReason(headline.coverage);
  if (!promptDeclared) {
    return "the answers' prompt was not declared, or is not the suite's (promptHash)";
  }
  return null;
}

const listed = <Entry extends Rankable>(
  entry: Entry,
  rank: number | null,
  unrankedReason: string | null,
): Entry & Standing => ({
  ...entry,
  rank,
  rankInterval: null,
  best: null,
  tieGroup: null,
  unrankedReason,
});
