import type { Dataset, ListedDataset } from "#shared/contracts/datasets/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { SampleHead } from "#shared/contracts/suite.ts";
import { lruCache } from "../platform/lru-cache.ts";
import type { ObjectStore } from "../platform/ports.ts";
import type { Reader } from "../security/account.ts";
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
const indexes = lruCache<DatasetIndex>(4);
const chunks = lruCache<Json[]>(8);

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

type Cache<T> = ReturnType<typeof lruCache<T>>;

/** A dataset's samples in order, without their bodies. */
export interface DatasetIndex {
  heads: (SampleHead & { tags: Record<string, string> })[];
}

/** Where the objects of a version are, whatever names and owners it has. */
export const datasetFolder = (suite: string, version: string): string =>
  `datasets/${suite}/${version}`;

/** A version as it is stored; `bytes`: of its rows as they are stored. */
export type DatasetRecord = Dataset & { owner: string; bytes: number };

/** What an owner has of datasets. */
export interface OwnedDatasets {
  names: number;
  versions: number;
  bytes: number;
}

/** The most of each that an owner may have; null: no limit. */
export type DatasetLimits = { [what in keyof OwnedDatasets]: number | null };

/** Which versions to list: those that are not unlisted, or all of one owner. */
export interface DatasetQuery {
  suite: string | null;
  name: string | null;
  /** The first digits of their versions. */
  version: string | null;
  ownedBy: string | null;
  /** Place of the last one of the page before. */
  after: readonly [suite: string, name: string, createdAt: number, version: string] | null;
  limit: number;
}

export interface DatasetStore {
  /**
   * Stores rows in chunks; the same version twice is a no-op. `busy` while objects of the version, which
   * nobody had any more, are being removed.
   */
  put(
    dataset: DatasetRecord,
    index: DatasetIndex,
    rows: Iterable<Json>,
    limits: DatasetLimits | null,
    now: number,
  ): Promise<"stored" | "over-limit" | "busy">;
  /**
   * Newest version of the name, or the one whose version starts with `version`; with a reader, of
   * those that it may use. Names can be guessed, so an unlisted version is there for its owner,
   * admins, and whoever knows all of its version; a private one for its owner and admins alone.
   */
  find(
    suite: string,
    name: string,
    version: string | null,
    reader?: Reader,
  ): Promise<(Dataset & { owner: string }) | null>;
  /** Those that are public or private, with their notes. */
  list(suite: string | null): Promise<Dataset[]>;
  /** By suite and name, of each name the newest version first. */
  page(query: DatasetQuery): Promise<ListedDataset[]>;
  /** All versions of a name, newest first. */
  versions(
    suite: string,
    name: string,
  ): Promise<
    { version: string; owner: string; visibility: Dataset["visibility"]; corrects: string | null }[]
  >;
  /** The version that corrects this one, that which corrects it, and so on to the newest; empty: it stands. */
  correctionsOf(suite: string, name: string, version: string): Promise<Dataset[]>;
  owned(owner: string): Promise<OwnedDatasets>;
  /** Takes versions from a name; their objects stay until no dataset and no run has them. */
  remove(suite: string, name: string, versions: readonly string[], now: number): Promise<void>;
  /** Versions whose objects nothing refers to any more; nobody stores them again until they are forgotten. */
  claimLeftovers(now: number, limit: number): Promise<{ suite: string; version: string }[]>;
  /** Once its objects are gone, with the boards that it had. */
  forgetLeftover(suite: string, version: string): Promise<void>;
  index(suite: string, version: string): Promise<DatasetIndex>;
  /** The row at a position, checked on upload. */
  row(suite: string, version: string, position: number): Promise<Json>;
}
