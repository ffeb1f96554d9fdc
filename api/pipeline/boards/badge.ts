import type { ShieldsBadge } from "#shared/contracts/badge.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { figureText } from "#shared/measures/report/figure-text.ts";
import type { BoardRecord, Ports } from "../ports.ts";

type Badge = Omit<ShieldsBadge, "schemaVersion" | "cacheSeconds">;

/** Colours by headline value, best first. */
const bands: readonly [number, string][] = [
  [0.9, "brightgreen"],
  [0.75, "green"],
  [0.6, "yellow"],
];

const notEvaluated: Badge = { label: "assay", message: "not evaluated", color: "lightgrey" };
const notRanked: Badge = { label: "assay", message: "not ranked", color: "lightgrey" };

/** The badge of a model: its entry on the default board that ranks its newest run. */
export async function badgeOf(ports: Ports, slug: string, suite: string | null): Promise<Badge> {
  const boards = await ports.boards.ofModel(slug, suite);
  for (const board of boards) {
    const entry = board.entries.find(({ model }) => model.slug === slug);
    if (entry && entry.rank !== null) return entryBadge(ports, board, entry);
  }
  return boards.length === 0 ? notEvaluated : notRanked;
}

function entryBadge(ports: Ports, board: BoardRecord, entry: LeaderboardEntry): Badge {
  const metrics = ports.suites.byId(board.suite)?.metrics;
  const metric = metrics?.find((candidate) => candidate.id === board.headline);
  const value = entry.headline.value ?? 0;
  const marks = [
    entry.provenance.kind === "called" ? "called by Assay" : "self-reported",
    ...(entry.model.simulated ? ["simulated"] : []),
  ];
  return {
    label: `assay ${metric?.label ?? board.headline}`,
    message: `${figureText(value, metric?.format ?? "score")} (${marks.join(", ")})`,
    color: bands.find(([from]) => value >= from)?.[1] ?? "red",
  };
}
