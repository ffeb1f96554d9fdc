import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { useMiniflareStorage, useQuickStorage } from "./quick-storage.ts";

afterEach(useQuickStorage);

it("the quick storage writes nothing to miniflare's storage", async () => {
  await env.DB.exec("CREATE TABLE quick (a)");
  await env.RESULTS.put("quick", "a");
  useMiniflareStorage();
  await expect(env.DB.exec("SELECT * FROM quick")).rejects.toThrow("no such table: quick");
  expect(await env.RESULTS.get("quick")).toBeNull();
  useQuickStorage();
  await env.DB.exec("DROP TABLE quick");
});

/** The result or error of a call. */
const outcome = async (call: () => Promise<unknown>) => {
  try {
    return { value: await call() };
  } catch (error) {
    const { message, cause } = error as Error;
    return { message, cause: (cause as Error | undefined)?.message };
  }
};

/** The outcomes with miniflare's storage and with the quick storage. */
async function both(call: () => Promise<unknown>) {
  useMiniflareStorage();
  const miniflares = await outcome(call);
  useQuickStorage();
  return [miniflares, await outcome(call)];
}

const db = env.DB;

describe("the quick database answers like miniflare's", () => {
  const calls: [string, () => Promise<unknown>][] = [
    [
      "a table",
      () => db.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE, c BLOB, d REAL)"),
    ],
    [
      "run()",
      () =>
        db
          .prepare("INSERT INTO t (b, c, d) VALUES (?, ?, ?)")
          .bind("ü'\n😀", new Uint8Array([0, 255]), 0.1)
          .run(),
    ],
    [
      "a boolean and null",
      () => db.prepare("INSERT INTO t (b, d) VALUES (?2, ?1)").bind(true, null).run(),
    ],
    ["all()", () => db.prepare("SELECT * FROM t").all()],
    ["raw()", () => db.prepare("SELECT a, a, b FROM t").raw({ columnNames: true })],
    ["columns with the same name", () => db.prepare("SELECT a, b AS a FROM t").all()],
    ["first()", () => db.prepare("SELECT * FROM t WHERE a = ?").bind(1).first()],
    ["first() of a column", () => db.prepare("SELECT b FROM t").first("b")],
    ["first() of an unknown column", () => db.prepare("SELECT b FROM t").first("x")],
    ["first() without a row", () => db.prepare("SELECT b FROM t WHERE a = 9").first()],
    ["no rows", () => db.prepare("SELECT b FROM t WHERE a = 9").all()],
    ["rows returned by an update", () => db.prepare("UPDATE t SET d = 2 RETURNING a").all()],
    [
      "a number beyond 32 bits",
      () =>
        db
          .prepare("SELECT ? AS n")
          .bind(2 ** 53 - 1)
          .all(),
    ],
    [
      "a batch",
      () =>
        db.batch([
          db.prepare("INSERT INTO t (b) VALUES ('x')"),
          db.prepare("SELECT count(*) AS n FROM t"),
        ]),
    ],
    [
      "a batch that fails",
      () =>
        db.batch([
          db.prepare("DELETE FROM t"),
          db.prepare("INSERT INTO t (b) VALUES ('y'), ('y')"),
        ]),
    ],
    ["the rows after a failed batch", () => db.prepare("SELECT a, b FROM t").raw()],
    ["a unique column", () => db.prepare("INSERT INTO t (b) VALUES ('x')").run()],
    [
      "an insert that is ignored",
      () => db.prepare("INSERT OR IGNORE INTO t (b) VALUES ('x')").run(),
    ],
    ["a row replaced", () => db.prepare("REPLACE INTO t (b) VALUES ('x')").run()],
    ["an update of no row", () => db.prepare("UPDATE t SET d = 3 WHERE a = 99").run()],
    ["all rows deleted", () => db.prepare("DELETE FROM t").run()],
    ["a read after the deletion", () => db.prepare("SELECT count(*) AS n FROM t").run()],
    ["a comment before SQL", () => db.prepare("  -- a\nSELECT 1 AS n").all()],
    ["wrong SQL", () => db.prepare("SELEC 1").all()],
    ["no SQL", () => db.prepare("  -- nothing").all()],
    ["an unknown table", () => db.prepare("SELECT * FROM nothing").all()],
    ["too few values", () => db.prepare("SELECT ?, ?").bind(1).all()],
    ["too many values", () => db.prepare("SELECT ?").bind(1, 2).all()],
    [
      "101 values",
      () =>
        db
          .prepare(`SELECT ${Array(101).fill("?")}`)
          .bind(...Array(101).fill(1))
          .all(),
    ],
    ["a long statement", () => db.prepare(`SELECT '${"x".repeat(100_001)}'`).all()],
    ["a long pattern", () => db.prepare("SELECT 1 WHERE 'a' LIKE ?").bind("x".repeat(51)).all()],
    ["JSON", () => db.prepare("SELECT value FROM json_each(?)").bind('[1,null,"a",1.5]').raw()],
    ["a forbidden pragma", () => db.prepare("PRAGMA journal_mode = off").run()],
    ["exec()", () => db.exec("DELETE FROM t\nDROP TABLE t")],
    ["exec() that fails", () => db.exec("DELETE FROM t")],
  ];
  it.each(calls)("%s", async (_name, call) => {
    const [miniflares, quick] = await both(call);
    expect(withoutSizes(quick)).toEqual(withoutSizes(miniflares));
  });

  /** Durations differ, and sizes, since miniflare's database has no other tables. */
  const withoutSizes = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, one) =>
        ["duration", "timings", "size_after", "changed_db"].includes(key) ? typeof one : one,
      ),
    );
});

describe("the quick bucket answers like miniflare's", () => {
  const bucket = env.RESULTS;
  const bytesOf = async (object: R2Object | R2ObjectBody | null) =>
    object && {
      key: object.key,
      size: object.size,
      etag: object.etag,
      ...("text" in object && { bytes: [...new Uint8Array(await object.arrayBuffer())] }),
    };
  const put = async (value: string | Blob | Uint8Array, onlyIf?: R2Conditional) =>
    bytesOf(await bucket.put("compared/a", value, { ...(onlyIf && { onlyIf }) }));
  const list = async (options: R2ListOptions) => {
    const { objects, truncated, delimitedPrefixes } = await bucket.list(options);
    return { keys: objects.map(({ key, size }) => [key, size]), truncated, delimitedPrefixes };
  };
  const calls: [string, () => Promise<unknown>][] = [
    ["no object", async () => bytesOf(await bucket.get("compared/a"))],
    ["a text", () => put("ü😀")],
    ["a Blob", () => put(new Blob(["a", "b"]))],
    ["bytes", () => put(new Uint8Array([0, 1, 2, 3, 255]))],
    [
      "an etag condition without an object",
      () => bucket.put("compared/none", "c", { onlyIf: { etagMatches: "0".repeat(32) } }),
    ],
    ["an object that must not exist", () => put("c", { etagDoesNotMatch: "*" })],
    ["a different etag", () => put("c", { etagMatches: "0123456789abcdef0123456789abcdef" })],
    ["the object", async () => bytesOf(await bucket.get("compared/a"))],
    [
      "a range",
      async () => bytesOf(await bucket.get("compared/a", { range: { offset: 1, length: 2 } })),
    ],
    [
      "a range that exceeds the end",
      async () => bytesOf(await bucket.get("compared/a", { range: { offset: 3, length: 9 } })),
    ],
    ["a range beyond the end", () => bucket.get("compared/a", { range: { offset: 6, length: 1 } })],
    ["a range of no bytes", () => bucket.get("compared/a", { range: { offset: 1, length: 0 } })],
    ["a key of 1,025 bytes", () => bucket.put(`${"ü".repeat(512)}a`, "")],
    ["the same read", () => bucket.get(`${"ü".repeat(512)}a`)],
    ["the same deleted", () => bucket.delete([`${"ü".repeat(512)}a`])],
    [
      "more objects",
      () =>
        Promise.all(
          ["ü", "b", "B", "a/1"].map((key) => bucket.put(`compared/${key}`, key).then(bytesOf)),
        ),
    ],
    ["a list", () => list({ prefix: "compared/" })],
    ["a page", () => list({ prefix: "compared/", limit: 2 })],
    ["no such prefix", () => list({ prefix: "nothing/" })],
    ["a delete of a known and an unknown key", () => bucket.delete(["compared/b", "compared/x"])],
    ["the remaining objects", () => list({ prefix: "compared/" })],
  ];
  it.each(calls)("%s", async (_name, call) => {
    const [miniflares, quick] = await both(call);
    expect(quick).toEqual(miniflares);
  });

  it("continues a list after the last page", async () => {
    const [miniflares, quick] = await both(async () => {
      const keys: string[][] = [];
      for (let cursor = ""; ; ) {
        const page = await bucket.list({
          prefix: "compared/",
          limit: 2,
          ...(cursor && { cursor }),
        });
        keys.push(page.objects.map(({ key }) => key));
        if (!page.truncated) return keys;
        cursor = page.cursor;
      }
    });
    expect(quick).toEqual(miniflares);
    expect(quick).toEqual({
      value: [
        ["compared/B", "compared/a"],
        ["compared/a/1", "compared/ü"],
      ],
    });
  });

  it.each<[string, () => unknown]>([
    ["1,001 keys", () => bucket.delete(Array.from({ length: 1_001 }, (_, i) => `${i}`))],
    ["an empty page", () => bucket.list({ limit: 0 })],
    ["a delimiter", () => bucket.list({ delimiter: "/" })],
    ["head()", () => bucket.head("a")],
    ["a stream", () => bucket.put("a", new Blob(["a"]).stream())],
    ["an unknown condition", () => bucket.put("a", "a", { onlyIf: { etagMatches: "*" } })],
  ])("refuses: %s", async (_name, call) => {
    await expect(async () => call()).rejects.toThrow(/does not know|at most 1000/);
  });

  it.each(["a matching etag", "a wrong etag"])("%s", async (which) => {
    const [miniflares, quick] = await both(async () => {
      const { etag = "" } = (await bucket.put("compared/e", "1")) ?? {};
      const onlyIf = { etagMatches: which.startsWith("a wrong") ? etag.replace(/./g, "0") : etag };
      return [
        await bucket.put("compared/e", "2", { onlyIf }).then(bytesOf),
        await bucket.get("compared/e").then(bytesOf),
      ];
    });
    expect(quick).toEqual(miniflares);
  });
});
