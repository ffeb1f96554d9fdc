import type { Json } from "#shared/contracts/json.ts";
import { recentlyUsed } from "../platform/lru-cache.ts";
import type { ObjectStore } from "../platform/ports.ts";
import { type DatasetIndex, type DatasetStore, datasetFolder } from "./dataset-ports.ts";
import { datasetReads, datasetWrites } from "./version-store.ts";

/**
 * Rows an object: a few hundred kilobytes for documents of a page or two. Part of the layout of what is
 * stored: with another number, objects need another name.
 */
const CHUNK_ROWS = 100;

/**
 * Versions are immutable, so what one request read serves the next in the same isolate. With what suites
 * prepare of them, rows of a chunk take some four megabytes.
 */
const indexes = recentlyUsed<DatasetIndex>(4);
const chunks = recentlyUsed<Json[]>(8);

/**
 * Datasets: name, version and counts in D1, rows in R2 in chunks. The objects of a version are shared by all
 * owners and names that have it, so they are written once, in canonical form.
 */
export function datasetStore(d1: D1Database, objects: ObjectStore): DatasetStore {
  const read = storedReader(objects);
  const { reserve, insert, ...writes } = datasetWrites(d1);
  return {
    ...datasetReads(d1),
    ...writes,
    async put(dataset, index, rows, limits, now) {
      const { suite, version } = dataset;
      if (!(await reserve(suite, version, now))) return "busy";
      const folder = datasetFolder(suite, version);
      let number = 0;
      for (const chunk of chunked(rows))
        await objects.putOnce(`${folder}/rows-${number++}.json`, JSON.stringify(chunk));
      await objects.putOnce(`${folder}/index.json`, JSON.stringify(index));
      return (await insert(dataset, limits)) ? "stored" : "over-limit";
    },

    index: (suite, version) => read(indexes, `${datasetFolder(suite, version)}/index.json`),

    async row(suite, version, position) {
      const key = `${datasetFolder(suite, version)}/rows-${Math.floor(position / CHUNK_ROWS)}.json`;
      const row = (await read(chunks, key))[position % CHUNK_ROWS];
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

/** Reads objects through a cache; what a request is reading already it does not read again. */
function storedReader(objects: ObjectStore) {
  const underWay = new Map<string, Promise<unknown>>();
  async function fill<T>(cache: Cache<T>, key: string): Promise<T> {
    const value = await objects.get<T>(key);
    if (value === null) throw new Error(`missing object ${key}`);
    // Another request may have read it meanwhile, and suites prepare rows once for each copy.
    const known = cache.get(key) ?? value;
    cache.set(key, known);
    return known;
  }
  return async <T>(cache: Cache<T>, key: string): Promise<T> => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const reading = underWay.get(key) ?? fill(cache, key).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return (await reading) as T;
  };
}

type Cache<T> = ReturnType<typeof recentlyUsed<T>>;
