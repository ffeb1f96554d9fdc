import type { ObjectStore } from "../pipeline/ports.ts";

/** JSON objects in R2. */
export function objectStore(bucket: R2Bucket): ObjectStore {
  return {
    async put(key, value) {
      await bucket.put(key, JSON.stringify(value), {
        httpMetadata: { contentType: "application/json" },
      });
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
