const httpMetadata = { contentType: "application/json" };

/** Writers of one object at once: each try lets one of them through. */
const MOST_TRIES = 20;

/** Calls of R2 at once: a Worker has six connections. */
const AT_ONCE = 5;

/** Does `work` on all items, some of them side by side; they are taken as they are needed. */
export async function eachAtOnce<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>) {
  const left = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

export type ObjectStore = ReturnType<typeof objectStore>;

/** JSON objects in R2, by key. */
export function objectStore(bucket: R2Bucket) {
  return {
    /** For keys that belong to one run or writer: the last write counts. */
    async put(key: string, value: unknown): Promise<void> {
      await bucket.put(key, JSON.stringify(value), { httpMetadata });
    },
    /** The same of JSON text in parts, which are never joined in memory. */
    async putText(key: string, parts: readonly string[]): Promise<void> {
      await bucket.put(key, new Blob([...parts]), { httpMetadata });
    },
    /**
     * For keys that contain a hash: writes JSON text once. False where an object is there already, which stays as
     * it is, whoever wrote it.
     */
    async putOnce(key: string, text: string): Promise<boolean> {
      const written = await bucket.put(key, text, { httpMetadata, onlyIf: absent });
      return written !== null;
    },
    /** Changes an object that several may change at once; no change of another is lost. */
    async update<T>(key: string, change: (kept: T | null) => T): Promise<void> {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const object = await bucket.get(key);
        const changed = change(object === null ? null : ((await object.json()) as T));
        const onlyIf = object === null ? absent : { etagMatches: object.etag };
        const written = await bucket.put(key, JSON.stringify(changed), { httpMetadata, onlyIf });
        if (written !== null) return;
      }
      throw new Error(`${key} was changed by others ${MOST_TRIES} times in a row`);
    },
    /** The same as `get` as JSON text. */
    async getText(key: string): Promise<string | null> {
      return (await (await bucket.get(key))?.text()) ?? null;
    },
    async get<T>(key: string): Promise<T | null> {
      const object = await bucket.get(key);
      return object === null ? null : ((await object.json()) as T);
    },
    async putBytes(key: string, bytes: Uint8Array): Promise<void> {
      await bucket.put(key, bytes);
    },
    /** A part of an object; null where there is no such object. */
    async getBytes(key: string, offset: number, length: number): Promise<ArrayBuffer | null> {
      return (await (await bucket.get(key, { range: { offset, length } }))?.arrayBuffer()) ?? null;
    },
    /** Some of the keys that begin with `prefix`, at most 1,000; none when there are none left. */
    async keys(prefix: string): Promise<string[]> {
      const { objects } = await bucket.list({ prefix });
      return objects.map(({ key }) => key);
    },
    /** Removes up to 1,000 objects. */
    async remove(keys: readonly string[]): Promise<void> {
      await bucket.delete([...keys]);
    },
  };
}

/** `If-None-Match: *`: R2 writes only where there is no object. */
const absent = { etagDoesNotMatch: "*" };
