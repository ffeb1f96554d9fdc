import { bytesToHex } from "@noble/hashes/utils.js";
import type { BoardPageRef, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { BoardEntries } from "#shared/contracts/boards/snapshot.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { isUnseen } from "../datasets/service.ts";
import { noSuite, type Platform } from "../platform/platform.ts";
import type { BoardRecord } from "./schema.ts";
import type { RankedBoard } from "./store.ts";

/** Entries per page. The first page is in the board's row, which D1 limits to 2 MB. */
export const ENTRIES_A_PAGE = 100;

/** Replaced pages are kept this long, for readers that fetch page after page. */
const GRACE_MS = 2 * 3_600_000;

export const boardFolder = (board: string): string => `boards/${board}/`;

export const boardEntriesKey = (board: string, hash: string): string =>
  `${boardFolder(board)}entries-${hash}.json`;

type Paged = Pick<BoardRecord, "id" | "entries" | "pages">;

export const listedOn = ({ entries, pages }: Paged): number =>
  pages.reduce((sum, page) => sum + page.entries, entries.length);

export const rankedOn = ({ entries, pages }: Paged): number =>
  pages.reduce((sum, page) => sum + page.ranked, entries.filter(isRanked).length);

const isRanked = ({ rank }: LeaderboardEntry) => rank !== null;

/** Entries of a page; page 0 is the first. */
async function readPage(
  platform: Platform,
  board: Paged,
  page: number,
): Promise<LeaderboardEntry[]> {
  const ref = board.pages[page - 1];
  if (ref === undefined) return page === 0 ? board.entries : [];
  const read = await platform.objects.get<BoardEntries>(boardEntriesKey(board.id, ref.hash));
  if (read === null) throw new Error(`missing object of a page of board ${board.id}`);
  return read.entries;
}

/** A board's entries page by page, so that memory holds only one page. */
export async function* entryPages(
  platform: Platform,
  board: Paged,
): AsyncGenerator<LeaderboardEntry[]> {
  for (let page = 0; page <= board.pages.length; page++) yield readPage(platform, board, page);
}

/** The entries of a page from position `from` (first: 0), and the next position; null if there are none. */
export async function entriesFrom(
  platform: Platform,
  board: Paged,
  place: number,
): Promise<{ entries: LeaderboardEntry[]; next: number | null }> {
  const sizes = [board.entries.length, ...board.pages.map(({ entries }) => entries)];
  let before = 0;
  for (const [page, size] of sizes.entries()) {
    if (place < before + size) {
      const entries = (await readPage(platform, board, page)).slice(place - before);
      return { entries, next: page + 1 < sizes.length ? before + size : null };
    }
    before += size;
  }
  return { entries: [], next: null };
}

export async function entryOfModel(
  platform: Platform,
  board: Paged,
  slug: string,
): Promise<LeaderboardEntry | null> {
  const isIt = ({ model }: LeaderboardEntry) => model.slug === slug;
  const first = board.entries.find(isIt);
  if (first || board.pages.length === 0) return first ?? null;
  const page = await platform.boards.placeOf(board.id, slug);
  return page === null ? null : ((await readPage(platform, board, page)).find(isIt) ?? null);
}

type Pages = Omit<RankedBoard, "comparedSamples" | "tests">;

/**
 * Stores a board's entries page by page: the first for the board's row, the others as objects, unless an equal object
 * exists. Keys are never reused, because the hash of an object includes its time.
 */
export async function storePages(
  platform: Platform,
  board: Paged,
  given: AsyncIterable<LeaderboardEntry[]>,
): Promise<Pages> {
  const rankedAt = new Date(platform.now()).toISOString();
  const known = new Map(board.pages.map((page) => [page.content, page]));
  const pages: BoardPageRef[] = [];
  const places: string[][] = [];
  let first: LeaderboardEntry[] | null = null;
  for await (const entries of given) {
    if (entries.length === 0) continue;
    if (first === null) {
      first = entries;
      continue;
    }
    const text = JSON.stringify(entries);
    const content = await hashOf(text);
    pages.push(
      known.get(content) ??
        (await storePage(platform, board, { rankedAt, entries, text, content })),
    );
    places.push(entries.map(({ model }) => model.slug));
  }
  const kept = new Set(pages.map(({ hash }) => hash));
  const retired = board.pages.filter(({ hash }) => !kept.has(hash));
  return {
    entries: first ?? [],
    pages,
    places,
    deleteAt: platform.now() + GRACE_MS,
    retired: retired.map(({ hash }) => boardEntriesKey(board.id, hash)),
  };
}

async function storePage(
  platform: Platform,
  { id }: Paged,
  { rankedAt, entries, text, content }: BoardEntries & { text: string; content: string },
): Promise<BoardPageRef> {
  // A page has 150 kB: its entries are written as JSON only once.
  const page = `{"rankedAt":"${rankedAt}","entries":${text}}`;
  const hash = await hashOf(page);
  await platform.objects.putOnce(boardEntriesKey(id, hash), page);
  return {
    hash,
    content,
    entries: entries.length,
    ranked: entries.filter(isRanked).length,
    simulated: entries.every(({ model }) => model.simulated),
  };
}

/** SHA-256 in hex by the platform's implementation: the pages of ten thousand models are megabytes. */
const hashOf = async (text: string): Promise<string> =>
  bytesToHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));

type NotFound = { type: "not-found"; detail: string };

/** How a request identifies a board. */
export interface NamedBoard {
  suite: string;
  dataset: string;
  headline?: string | undefined;
}

/**
 * The default board of a suite and a dataset, given as in a submission (`name` or `name@version`). If some targets rank
 * by another metric, they have a board of their own: `headline` selects it. Without `headline`: the board that ranks by
 * the suite's metric, if there is one.
 */
export async function findBoard(
  platform: Platform,
  { suite, dataset, headline }: NamedBoard,
): Promise<Result<BoardRecord, NotFound>> {
  const known = platform.suites.byId(suite);
  if (known === undefined) return err(noBoard(platform, { suite, dataset, headline }));
  const [name = "", version = null] = dataset.split("@");
  const board = await platform.boards.find(suite, name, version, {
    id: headline ?? known.headline,
    isNeeded: headline !== undefined,
  });
  const shown = board && (await shownBoard(platform, board));
  return shown === null ? err(noBoard(platform, { suite, dataset, headline })) : ok(shown);
}

/** The board; null if its dataset was made private or unlisted and the caller may not know of it. */
export async function shownBoard(
  platform: Pick<Platform, "datasets">,
  board: BoardRecord,
): Promise<BoardRecord | null> {
  const { suite, datasetName: name, datasetVersion: version } = board;
  return board.hiddenSamples && (await isUnseen(platform, { suite, name, version })) ? null : board;
}

export function noBoard(platform: Platform, { suite, dataset, headline }: NamedBoard): NotFound {
  if (platform.suites.byId(suite) === undefined) {
    return { type: "not-found", detail: noSuite(platform, suite) };
  }
  const by = headline === undefined ? "" : `, ranked by "${headline}",`;
  const detail = `no finished run of suite "${suite}" on dataset "${dataset}"${by} is on a board yet; variants of a sweep and runs of a subset are never on a board`;
  return { type: "not-found", detail };
}
