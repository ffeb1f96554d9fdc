import { DatabaseSync } from "node:sqlite";

/** Keys of a copy's objects, which are read from the original. */
const OF_COPIES = /^runs\/([^/]+?)-\d+\/((?:sums-|answers).*)$/;

/** Objects outside the heap, because those of 10,000 runs take a gigabyte. */
export class ObjectsOnDisk extends Map<string, string> {
  readonly #database: DatabaseSync;

  /** With an empty name, SQLite uses a temporary file and deletes it on close. */
  constructor(database = new DatabaseSync("")) {
    super();
    this.#database = database;
    database.exec("CREATE TABLE objects (key TEXT PRIMARY KEY, text TEXT)");
  }

  override get(key: string): string | undefined {
    const [, run, rest] = OF_COPIES.exec(key) ?? [];
    const stored = run === undefined ? key : `runs/${run}/${rest}`;
    const row = this.#database.prepare("SELECT text FROM objects WHERE key = ?").get(stored);
    return row === undefined ? undefined : `${row["text"]}`;
  }

  override set(key: string, text: string): this {
    this.#database.prepare("INSERT OR REPLACE INTO objects VALUES (?, ?)").run(key, text);
    return this;
  }

  override keys(): MapIterator<string> {
    const rows = this.#database.prepare("SELECT key FROM objects").iterate();
    return (function* () {
      for (const { key } of rows) yield `${key}`;
    })() as MapIterator<string>;
  }

  override delete(key: string): boolean {
    return this.#database.prepare("DELETE FROM objects WHERE key = ?").run(key).changes > 0;
  }
}

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
