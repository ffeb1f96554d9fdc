import type { Leaderboard } from "../../../shared/contracts/leaderboard.ts";
import type { Republication } from "../../../shared/contracts/republication.ts";

const correctionReason = "two totals were of the wrong page";

/** A board as it was before two gold answers were corrected, when its first two models stood the other way round. */
export function formerBoard(board: Leaderboard): Leaderboard {
  const [first, second, ...rest] = board.entries;
  if (!first || !second) throw new Error("a board with two entries is wanted");
  const swapped = [
    { ...second, rank: 1, headline: first.headline },
    { ...first, rank: 2, headline: second.headline },
  ];
  return {
    ...board,
    id: `${board.id}-former`,
    dataset: { ...board.dataset, version: "f".repeat(64) },
    entries: [...swapped, ...rest],
    supersededBy: board.id,
    supersededAt: "2026-11-12T08:00:00Z",
  };
}

/** What led from one board to the other; the last entry's answers were gone. */
export function aRepublication(from: Leaderboard, to: Leaderboard): Republication {
  const places = new Map(to.entries.map((entry) => [entry.run, entry]));
  const placeOf = ({ run, rank, headline }: Leaderboard["entries"][number]) => ({
    run,
    rank,
    headline,
  });
  return {
    id: "rep-stock",
    suite: to.suite,
    dataset: to.dataset.name,
    metric: to.headline,
    causes: ["dataset"],
    reason: correctionReason,
    correctedSamples: 2,
    from: { board: from.id, datasetVersion: from.dataset.version, suiteVersion: "1" },
    to: { board: to.id, datasetVersion: to.dataset.version, suiteVersion: "1" },
    startedAt: "2026-11-12T07:58:00Z",
    finishedAt: "2026-11-12T08:00:00Z",
    withdrawn: 0,
    changes: from.entries.map((entry, i) => {
      const { slug, name, simulated } = entry.model;
      const now = places.get(entry.run);
      const isGone = i === from.entries.length - 1 || now === undefined;
      return {
        model: { slug, name, simulated },
        before: placeOf(entry),
        after: isGone ? null : placeOf(now),
        reason: isGone ? "its raw answers were removed after 90 days" : null,
      };
    }),
  };
}
