import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { getJson } from "../api.ts";

/** Maximum pages of a board that are read for one run, 100 entries each. */
const mostPages = 10;

interface Found {
  board: Leaderboard;
  entry: LeaderboardEntry;
  /** Number of models: the ranked ones if all pages were read, or else all. */
  ranked: number;
}

/** The entry of a run on the board at this API path, read page by page; null if it is not on the first ten pages. */
export async function entryOnBoard(path: string, run: string): Promise<Found | null> {
  const isRanked = ({ rank }: LeaderboardEntry) => rank !== null;
  let first: Leaderboard | null = null;
  let read = 0;
  for (let cursor: string | null = "", left = mostPages; cursor !== null && left > 0; left--) {
    const mark = path.includes("?") ? "&" : "?";
    const address: string = cursor === "" ? path : `${path}${mark}cursor=${cursor}`;
    const page: Leaderboard = await getJson<Leaderboard>(address);
    first ??= page;
    read += page.entries.filter(isRanked).length;
    const entry = page.entries.find((one) => one.run === run);
    if (entry)
      return { board: first, entry, ranked: page.nextCursor === null ? read : page.listed };
    cursor = page.nextCursor;
  }
  return null;
}
