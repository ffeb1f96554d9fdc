import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { root } from "../local/root.ts";
import { makeConsistent, migrate } from "./ensure-resources.ts";
import type { Wrangler } from "./wrangler-client.ts";

/** A database with all migrations, and a wrangler that executes commands in it. */
function database() {
  const db = new DatabaseSync(":memory:");
  const folder = join(root, "migrations");
  for (const file of readdirSync(folder)
    .filter((one) => one.endsWith(".sql"))
    .sort()) {
    db.exec(readFileSync(join(folder, file), "utf8"));
  }
  const run = async (_: string, args: readonly string[]) => {
    db.exec(args.at(-1) ?? "");
    return "";
  };
  return { db, wrangler: { run } as unknown as Wrangler };
}

/** Inserts a row into `runs`, with empty values for other required columns. */
function insertRun(db: DatabaseSync, its: Record<string, string | number>): void {
  const columns = db.prepare("SELECT * FROM pragma_table_info('runs')").all();
  const needed = columns
    .filter(
      (one) => one["notnull"] === 1 && one["dflt_value"] === null && !(`${one["name"]}` in its),
    )
    .map((one) => [`${one["name"]}`, one["type"] === "text" ? "[]" : 0] as const);
  const all = [...needed, ...Object.entries(its)];
  const names = all.map(([name]) => name).join(", ");
  db.prepare(`INSERT INTO runs (${names}) VALUES (${all.map(() => "?").join(", ")})`).run(
    ...all.map(([, value]) => value),
  );
}

it("makeConsistent() frees all lanes of active runs and raises their attempt numbers", async () => {
  const { db, wrangler } = database();
  insertRun(db, { id: "active", status: "running", lanes: 3 });
  insertRun(db, { id: "over", status: "finished", lanes: 1 });
  const lease = `INSERT INTO leases (run_id, lane, attempt, holder, slots, commits, crashes, pending, expires_at)
    VALUES (?, ?, 7, 'held', 5, 3, 2, '[4,5]', 99)`;
  db.prepare(lease).run("active", 1);
  db.prepare(lease).run("over", 0);
  db.exec("INSERT INTO publications (target, root) VALUES ('site', '{}')");
  await makeConsistent(wrangler, "api.json", 1_800_000_000_000);
  const rows = db.prepare("SELECT * FROM leases ORDER BY run_id, lane").all();
  const freed = { attempt: 1_800_000_000_000, slots: 0, commits: 0, crashes: 0, expires_at: 0 };
  expect(rows).toMatchObject([
    { run_id: "active", lane: 0, ...freed, pending: "[]" },
    { run_id: "active", lane: 1, ...freed, pending: "[4,5]" },
    { run_id: "active", lane: 2, ...freed, pending: "[]" },
    { run_id: "over", lane: 0, attempt: 7, slots: 5 },
  ]);
  expect(db.prepare("SELECT root FROM publications").all()).toEqual([{ root: null }]);
});

describe("migrate() with an export", () => {
  /** A wrangler whose database has these migrations after it was filled, or from the beginning. */
  const filledBy = (names: readonly string[], isFilled: boolean) => {
    const calls: string[] = [];
    const run = async (what: string, args: readonly string[]) => {
      calls.push(what);
      isFilled ||= args.includes("--file");
      return "";
    };
    const rows = () => [{ results: names.map((name) => ({ name })) }];
    const ask = async () => (isFilled ? JSON.stringify(rows()) : null);
    return { calls, wrangler: { run, ask } as unknown as Wrangler };
  };
  const options = { isNew: true, rollback: false, database: "assay.sql" };
  const all = readdirSync(join(root, "migrations")).filter((file) => file.endsWith(".sql"));

  it("fills a new database, then applies migrations that the export lacks", async () => {
    const older = filledBy(all.slice(1), false);
    await migrate(older.wrangler, "api.json", options);
    expect(older.calls).toEqual(["Filling the database", "Applying the database's migrations"]);
    const same = filledBy(all, false);
    await migrate(same.wrangler, "api.json", options);
    expect(same.calls).toEqual(["Filling the database"]);
  });

  it("refuses a database with rows and an export of a later version", async () => {
    const existing = filledBy(all, true);
    const isOld = { ...options, isNew: false };
    await expect(migrate(existing.wrangler, "api.json", isOld)).rejects.toThrow(
      "delete the database first",
    );
    expect(existing.calls).toEqual([]);
    const later = filledBy([...all, "9999_later.sql"], false);
    await expect(migrate(later.wrangler, "api.json", options)).rejects.toThrow("9999_later.sql");
  });
});
