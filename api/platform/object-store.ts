const httpMetadata = { contentType: "application/json" };

/** Maximum number of concurrent writers of one object: each attempt lets one of them succeed. */
const MOST_TRIES = 20;

/** Concurrent R2 calls: a Worker has six connections. */
const AT_ONCE = 5;

/** Runs `work` on all items, `AT_ONCE` concurrently. Takes items only as needed. */
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
    /** For keys with a single writer: the last write wins. */
    async put(key: string, value: unknown): Promise<void> {
      await bucket.put(key, JSON.stringify(value), { httpMetadata });
    },
    /** The same for JSON text in parts, which are not joined in memory. */
    async putText(key: string, parts: readonly string[]): Promise<void> {
      await bucket.put(key, new Blob([...parts]), { httpMetadata });
    },
    /** For keys that contain a hash: writes JSON text once. False if the object exists; it stays unchanged. */
    async putOnce(key: string, text: string): Promise<boolean> {
      const written = await bucket.put(key, text, { httpMetadata, onlyIf: absent });
      return written !== null;
    },
    /** Updates an object atomically: concurrent updates are not lost. */
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
    /** Like `get`, as JSON text. */
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
    /** A range of an object; null if it does not exist. */
    async getBytes(key: string, offset: number, length: number): Promise<ArrayBuffer | null> {
      return (await (await bucket.get(key, { range: { offset, length } }))?.arrayBuffer()) ?? null;
    },
    /** Up to 1,000 keys that begin with `prefix`; empty if there are none. */
    async keys(prefix: string): Promise<string[]> {
      const { objects } = await bucket.list({ prefix });
      return objects.map(({ key }) => key);
    },
    /** Size of all objects that begin with `prefix`, bytes. */
    async bytes(prefix: string): Promise<number> {
      let bytes = 0;
      for (let cursor: string | undefined, isLast = false; !isLast; ) {
        const listed = await bucket.list({ prefix, ...(cursor && { cursor }) });
        for (const { size } of listed.objects) bytes += size;
        if (listed.truncated) cursor = listed.cursor;
        else isLast = true;
      }
      return bytes;
    },
    /** Deletes up to 1,000 objects. */
    async remove(keys: readonly string[]): Promise<void> {
      await bucket.delete([...keys]);
    },
  };
}

/** `If-None-Match: *`: R2 writes only if the object does not exist. */
const absent = { etagDoesNotMatch: "*" };
