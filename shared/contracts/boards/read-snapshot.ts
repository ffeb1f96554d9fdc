import { type Run, runSchema } from "../run.ts";
import { inParallel } from "./in-parallel.ts";
import type { Leaderboard } from "./leaderboard.ts";
import {
  boardEntriesSchema,
  publishedBoardSchema,
  type Snapshot,
  type SnapshotKind,
  type SnapshotPage,
  type SnapshotRoot,
  snapshotNewsSchema,
  snapshotPageSchema,
  snapshotRootSchema,
} from "./snapshot.ts";

/** Reads JSON at a path of the API. Objects under `/v1/snapshot/` never change, so they can be cached. */
export type Get = (path: string) => Promise<unknown>;

/** Enough to hide the API's latency without overloading a local service. */
export const parallelReads = 8;

type Items<Kind extends SnapshotKind> = Extract<SnapshotPage, { kind: Kind }>["items"];

/** A snapshot, and the path of each run's full object. */
export interface ReadSnapshot {
  snapshot: Snapshot;
  runPaths: ReadonlyMap<string, string>;
}

/**
 * Assembles a snapshot from its root, its pages and the objects they name, with the newest `mostRuns` runs at most.
 * `getRun`: reads a run, unless `get` does.
 * Rejects with one sentence if a part has another format version, and with any error of `get`.
 * @example (await readSnapshot((path) => getJson(`${origin}${path}`))).snapshot.runs
 */
export async function readSnapshot(
  get: Get,
  mostRuns = Number.POSITIVE_INFINITY,
  getRun: (path: string) => Promise<Run> = (path) => readAs(runSchema, get, path),
): Promise<ReadSnapshot> {
  const root = await readAs(snapshotRootSchema, get, "/v1/snapshot");
  const newest = (await itemsOf(get, root, "runs")).sort(
    (a, b) => (b.finishedAt ?? "").localeCompare(a.finishedAt ?? "") || (a.id < b.id ? 1 : -1),
  );
  const listed = newest.slice(0, mostRuns);
  const pathOf = ({ id, hash }: { id: string; hash: string }) =>
    `/v1/snapshot/runs/${encodeURIComponent(id)}/${hash}`;
  const boards = await itemsOf(get, root, "boards");
  const news =
    root.news === null
      ? noNews
      : await readAs(snapshotNewsSchema, get, `/v1/snapshot/news/${root.news}`);
  return {
    snapshot: {
      ...news,
      hash: root.hash,
      createdAt: root.createdAt,
      boards: await inParallel(boards, parallelReads, (board) => readBoard(get, board)),
      datasets: await itemsOf(get, root, "datasets"),
      runs: await inParallel(listed, parallelReads, async (run) =>
        withoutParts(await getRun(pathOf(run))),
      ),
      sweeps: await itemsOf(get, root, "sweeps"),
      parities: (await itemsOf(get, root, "parities")).sort((a, b) => (a.name < b.name ? -1 : 1)),
    },
    runPaths: new Map(listed.map((run) => [run.id, pathOf(run)])),
  };
}

/**
 * Ids of the published runs. Rejects as `readSnapshot` does.
 * @example (await publishedRuns((path) => getJson(`${origin}${path}`))).has(run.id)
 */
export async function publishedRuns(get: Get): Promise<Set<string>> {
  const root = await readAs(snapshotRootSchema, get, "/v1/snapshot");
  return new Set((await itemsOf(get, root, "runs")).map(({ id }) => id));
}

const noNews: Pick<Snapshot, "canaries" | "drifts" | "datasetChanges" | "republications"> = {
  canaries: [],
  drifts: [],
  datasetChanges: [],
  republications: [],
};

/** Parses a document; if its format version differs, throws one sentence that says what to do. */
export async function readAs<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  get: Get,
  path: string,
): Promise<T> {
  const read = schema.safeParse(await get(path));
  if (read.success) return read.data;
  throw new Error(
    `this site can't read ${path}: deploy the API from the same revision as the site, and build again some minutes later, after it has published.`,
  );
}

async function itemsOf<Kind extends SnapshotKind>(
  get: Get,
  root: SnapshotRoot,
  kind: Kind,
): Promise<Items<Kind>> {
  const pages = await inParallel(root[kind], parallelReads, ({ hash }) =>
    readAs(snapshotPageSchema, get, `/v1/snapshot/pages/${hash}`),
  );
  return pages.flatMap((page) => page.items as object[]) as Items<Kind>;
}

async function readBoard(
  get: Get,
  { id, hash }: { id: string; hash: string },
): Promise<Leaderboard> {
  const folder = `/v1/snapshot/boards/${encodeURIComponent(id)}`;
  const { pages, ...board } = await readAs(publishedBoardSchema, get, `${folder}/${hash}`);
  const others = await inParallel(pages, parallelReads, (page) =>
    readAs(boardEntriesSchema, get, `${folder}/entries/${page.hash}`),
  );
  return { ...board, entries: [...board.entries, ...others.flatMap(({ entries }) => entries)] };
}

const withoutParts = ({ breakdown: _, timeline: __, points: ___, ...run }: Run) => run;
