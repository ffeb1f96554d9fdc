import type { ObjectStore } from "./ports.ts";

const httpMetadata = { contentType: "application/json" };

/** Writers of one object at once: each try lets one of them through. */
const MOST_TRIES = 20;

/** JSON objects in R2. */
export function objectStore(bucket: R2Bucket): ObjectStore {
  return {
    async put(key, value) {
      await bucket.put(key, JSON.stringify(value), { httpMetadata });
    },
    async putOnce(key, text) {
      const written = await bucket.put(key, text, { httpMetadata, onlyIf: absent });
      return written !== null;
    },
    async update<T>(key: string, change: (kept: T | null) => T) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const object = await bucket.get(key);
        const changed = change(object === null ? null : ((await object.json()) as T));
        const onlyIf = object === null ? absent : { etagMatches: object.etag };
        const written = await bucket.put(key, JSON.stringify(changed), { httpMetadata, onlyIf });
        if (written !== null) return;
      }
      throw new Error(`${key} was changed by others ${MOST_TRIES} times in a row`);
    },
    async getText(key) {
      return (await (await bucket.get(key))?.text()) ?? null;
    },
    async get<T>(key: string) {
      const object = await bucket.get(key);
      return object === null ? null : ((await object.json()) as T);
    },
    async keys(prefix) {
      const { objects } = await bucket.list({ prefix });
      return objects.map(({ key }) => key);
    },
    async remove(keys) {
      await bucket.delete([...keys]);
    },
  };
}

/** `If-None-Match: *`: R2 writes only where there is no object. */
const absent = { etagDoesNotMatch: "*" };
