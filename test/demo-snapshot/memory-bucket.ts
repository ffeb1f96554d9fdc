/** The part of R2 that the service uses, over a map of texts. */
export function memoryBucket(objects: Map<string, string>) {
  return {
    put: async (key: string, value: string | Blob) =>
      void objects.set(key, typeof value === "string" ? value : await value.text()),
    async get(key: string) {
      const text = objects.get(key);
      return text === undefined
        ? null
        : {
            text: async () => text,
            json: async () => JSON.parse(text) as unknown,
          };
    },
    list: async ({ prefix }: { prefix: string }) => ({
      objects: [...objects.keys()]
        .filter((key) => key.startsWith(prefix))
        .map((key) => ({ key, size: objects.get(key)?.length ?? 0 })),
    }),
    delete: async (keys: readonly string[]) => {
      for (const key of keys) objects.delete(key);
    },
  };
}
