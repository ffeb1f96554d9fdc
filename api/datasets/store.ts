import { rowText } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { SampleHead } from "#shared/contracts/runs/unit.ts";
import { beforeLargeWork, lruCache } from "../platform/lru-cache.ts";
import { eachAtOnce, type ObjectStore } from "../platform/object-store.ts";
import { type KeptRows, leftoverStore } from "./leftover-store.ts";
import { streamStore } from "./stream-store.ts";
import {
  type DatasetLimits,
  type DatasetRecord,
  datasetReads,
  datasetWrites,
} from "./version-store.ts";
import { datasetVisibility } from "./visibility-store.ts";

/**
 * Rows per object: a few hundred kilobytes for documents of a page or two. Part of the storage layout: with another
 * number, objects need other keys.
 */
const CHUNK_ROWS = 100;

/**
 * Versions are immutable, so later requests in the same isolate reuse what one read. With data that suites derive from
 * them, the rows of a chunk take about 4 MB.
 */
const indexes = lruCache<DatasetIndex>(4);
const chunks = lruCache<Json[]>(8);
beforeLargeWork(() => {
  indexes.clear();
  chunks.clear();
});

export type DatasetStore = ReturnType<typeof datasetStore>;

/**
 * Datasets: name, version and counts in D1, rows in R2 in chunks. All owners and names of a version share its objects,
 * which are written once, in canonical form.
 */
export function datasetStore(d1: D1Database, objects: ObjectStore) {
  const read = storedReader(objects);
  const { insert, ...writes } = datasetWrites(d1);
  const { reserve, ...leftovers } = leftoverStore(d1);
  return {
    ...datasetReads(d1),
    ...writes,
    ...leftovers,
    ...streamStore(d1, objects),
    ...datasetVisibility(d1),
    /**
     * Deletes the rows of a version after the first `count`, and returns the size of the rest. Readers of deleted rows
     * get null. The remaining rows get keys of their own, so that the same rows can be stored again. Call this only for
     * a claimed version.
     */
    async keepFirst(suite: string, version: string, { count, of }: KeptRows): Promise<number> {
      let bytes = 0;
      for (let start = 0; start < of; start += CHUNK_ROWS) {
        const place = start / CHUNK_ROWS;
        const [whole, left] = [rowsKey(suite, version, place), leftKey(suite, version, place)];
        const chunk = (await objects.get<Json[]>(whole)) ?? (await objects.get<Json[]>(left)) ?? [];
        const kept = chunk.map((row, i) => (start + i < count ? row : null));
        await objects.put(left, kept);
        await objects.remove([whole]);
        bytes += kept.reduce<number>(
          (sum, row) => sum + (row === null ? 0 : rowText(row).length),
          0,
        );
      }
      chunks.clear();
      return bytes;
    },
    /**
     * Stores rows in chunks; a no-op for a stored version. `busy` while the cron job deletes the version's unused
     * objects.
     */
    async put(
      dataset: DatasetRecord,
      index: DatasetIndex,
      rows: Iterable<Json>,
      { limits, after, now }: { limits: DatasetLimits | null; after: number | null; now: number },
    ): Promise<Awaited<ReturnType<typeof insert>> | "busy"> {
      const { suite, version } = dataset;
      if (!(await reserve(suite, version, now))) return "busy";
      let number = 0;
      await eachAtOnce(chunked(rows), (chunk) =>
        objects.putOnce(rowsKey(suite, version, number++), JSON.stringify(chunk)),
      );
      await objects.putOnce(indexKey(suite, version), JSON.stringify(index));
      return insert(dataset, limits, after, now);
    },

    async index(suite: string, version: string): Promise<DatasetIndex> {
      const key = indexKey(suite, version);
      return (await read(indexes, key)) ?? missing(key);
    },

    /** The row at a position; it was validated on upload. */
    async row(suite: string, version: string, position: number): Promise<Json> {
      const place = Math.floor(position / CHUNK_ROWS);
      const key = rowsKey(suite, version, place);
      const chunk =
        (await read(chunks, key)) ??
        (await read(chunks, leftKey(suite, version, place))) ??
        missing(key);
      const row = chunk[position % CHUNK_ROWS];
      if (row === undefined) throw new Error(`no row ${position} in ${key}`);
      return row;
    },
  };
}

function* chunked(rows: Iterable<Json>): Generator<Json[]> {
  let chunk: Json[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads objects through a cache, and shares pending reads within a request. */
function storedReader(objects: ObjectStore) {
  const underWay = new Map<string, Promise<unknown>>();
  async function fill<T>(cache: Cache<T>, key: string): Promise<T | null> {
    const value = await objects.get<T>(key);
    if (value === null) return null;
    // Another request may have read it meanwhile, and suites derive data from rows once per copy.
    const known = cache.get(key) ?? value;
    cache.set(key, known);
    return known;
  }
  return async <T>(cache: Cache<T>, key: string): Promise<T | null> => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const reading = underWay.get(key) ?? fill(cache, key).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return (await reading) as T | null;
  };
}

function missing(key: string): never {
  throw new Error(`missing object ${key}`);
}

type Cache<T> = ReturnType<typeof lruCache<T>>;

/** Heads of a dataset's samples in order, without bodies. */
export interface DatasetIndex {
  heads: (SampleHead & { tags: Record<string, string> })[];
}

const indexKey = (suite: string, version: string) => `${datasetFolder(suite, version)}/index.json`;
const rowsKey = (suite: string, version: string, place: number) =>
  `${datasetFolder(suite, version)}/rows-${place}.json`;
/** Key of rows that remain of a version whose other rows were deleted. */
const leftKey = (suite: string, version: string, place: number) =>
  `${datasetFolder(suite, version)}/left-${place}.json`;

/** Folder of a version's objects, for all its names and owners. */
export const datasetFolder = (suite: string, version: string): string =>
  `datasets/${suite}/${version}`;
