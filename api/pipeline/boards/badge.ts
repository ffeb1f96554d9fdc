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

/** No colour of a band: nothing is said about a model. */
const neutral = "lightgrey";

const notEvaluated: Badge = { label: "assay", message: "not evaluated", color: neutral };

/** The badge of a model: its entry on the default board that ranks its newest run. */
export async function badgeOf(ports: Ports, slug: string, suite: string | null): Promise<Badge> {
  const boards = await ports.boards.ofModel(slug, suite);
  if (boards.length === 0) return notEvaluated;
  const places = boards.flatMap((board) => {
    const entry = board.entries.find(({ model }) => model.slug === slug);
    return entry ? [{ board, entry }] : [];
  });
  const ranked = places.find(({ entry }) => entry.rank !== null);
  if (ranked) return entryBadge(ports, ranked.board, ranked.entry);
  const isSimulated = places.some(({ entry }) => entry.model.simulated);
  const message = `${isSimulated ? "simulated model: " : ""}not ranked`;
  return { label: "assay", message, color: neutral };
}

/** What makes a score one of the machinery alone; null: nothing does. */
function simulatedPart({ judging }: BoardRecord, { model }: LeaderboardEntry): string | null {
  const routes = Object.values(judging?.judges ?? {}).flatMap((judge) => judge.routes);
  const parts = [
    ...(model.simulated ? ["model"] : []),
    ...(routes.some(({ simulated }) => simulated) ? ["judges"] : []),
  ];
  return parts.length === 0 ? null : `simulated ${parts.join(" and ")}`;
}

function entryBadge(ports: Ports, board: BoardRecord, entry: LeaderboardEntry): Badge {
  const metrics = ports.suites.byId(board.suite)?.metrics;
  const metric = metrics?.find((candidate) => candidate.id === board.headline);
  const value = entry.headline.value ?? 0;
  const simulated = simulatedPart(board, entry);
  const source = entry.provenance.kind === "called" ? "called by Assay" : "self-reported";
  // A reader who sees but the colour takes green for praise.
  const color =
    simulated === null ? (bands.find(([from]) => value >= from)?.[1] ?? "red") : neutral;
  return {
    label: `assay ${metric?.label ?? board.headline}`,
    message: `${simulated === null ? "" : `${simulated}: `}${figureText(value, metric?.format ?? "score")} (${source})`,
    color,
  };
}
