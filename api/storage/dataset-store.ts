import { and, desc, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { canonicalJson } from "#shared/contracts/content-hash.ts";
import type { Dataset } from "#shared/contracts/dataset.ts";
import type { Json } from "#shared/contracts/json.ts";
import { datasets } from "../db/schema.ts";
import { versionPrefix } from "../db/version-prefix.ts";
import type { DatasetIndex, DatasetStore, ObjectStore, Reader } from "../pipeline/ports.ts";
import { recentlyUsed } from "../recently-used.ts";

/**
 * Rows an object: a few hundred kilobytes for documents of a page or two. Part of the layout of what is
 * stored: with another number, objects need another name.
 */
const CHUNK_ROWS = 100;

/** Hex digits of a whole version, a SHA-256: who knows it knows the content, or was told. */
const VERSION_LENGTH = 64;

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
  const db = drizzle(d1);
  const read = storedReader(objects);
  return {
    async put(dataset, index, rows) {
      const folder = folderOf(dataset.suite, dataset.version);
      let number = 0;
      for (const chunk of chunked(rows))
        await objects.putOnce(`${folder}/rows-${number++}.json`, canonicalJson(chunk));
      await objects.putOnce(`${folder}/index.json`, canonicalJson(index as unknown as Json));
      const { createdAt, ...rest } = dataset;
      await db
        .insert(datasets)
        .values({ ...rest, createdAt: Date.parse(createdAt) })
        .onConflictDoNothing();
    },

    async find(suite, name, version, reader) {
      const rows = await db
        .select()
        .from(datasets)
        .where(
          and(
            eq(datasets.suite, suite),
            eq(datasets.name, name),
            versionPrefix(datasets.version, version),
            isUsable(version, reader),
          ),
        )
        .orderBy(desc(datasets.createdAt))
        .limit(1);
      return rows[0] ? toDataset(rows[0]) : null;
    },

    async list(suite) {
      const rows = await db
        .select()
        .from(datasets)
        .where(
          and(
            ne(datasets.visibility, "unlisted"),
            suite === null ? undefined : eq(datasets.suite, suite),
          ),
        )
        .orderBy(datasets.suite, datasets.name, desc(datasets.createdAt));
      return rows.map(toDataset);
    },

    async correctionsOf(suite, name, version) {
      const found: Dataset[] = [];
      for (;;) {
        const its = sql`${datasets.corrects} ->> 'version' = ${found.at(-1)?.version ?? version}`;
        const named = and(eq(datasets.suite, suite), eq(datasets.name, name), its);
        const [next] = await db.select().from(datasets).where(named).limit(1);
        if (next === undefined) return found;
        found.push(toDataset(next));
      }
    },

    index: (suite, version) => read(indexes, `${folderOf(suite, version)}/index.json`),

    async row(suite, version, position) {
      const key = `${folderOf(suite, version)}/rows-${Math.floor(position / CHUNK_ROWS)}.json`;
      const row = (await read(chunks, key))[position % CHUNK_ROWS];
      if (row === undefined) throw new Error(`no row ${position} in ${key}`);
      return row;
    },
  };
}

function isUsable(version: string | null, reader: Reader | undefined): SQL | undefined {
  if (reader === undefined || reader.anyOwner) return undefined;
  const named =
    version?.length === VERSION_LENGTH ? eq(datasets.visibility, "unlisted") : undefined;
  return or(eq(datasets.visibility, "public"), eq(datasets.owner, reader.owner), named);
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

const folderOf = (suite: string, version: string) => `datasets/${suite}/${version}`;

function toDataset(row: typeof datasets.$inferSelect): Dataset & { owner: string } {
  const { license, source, corrects, createdAt, ...rest } = row;
  return {
    ...rest,
    ...(license === null ? {} : { license }),
    ...(source === null ? {} : { source }),
    ...(corrects === null ? {} : { corrects }),
    createdAt: new Date(createdAt).toISOString(),
  };
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
