import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { BadInput } from "../errors.ts";
import { loadMiniflare, openRuntime } from "./miniflare.ts";
import { type Children, ownProcesses } from "./processes.ts";
import { root } from "./root.ts";
import { stateOf } from "./wrangler.ts";

/** The database of `[env.local]` in wrangler.toml. */
const d1Databases = { DB: { id: "00000000-0000-0000-0000-000000000000" } };

/** Separator that drizzle-kit writes between statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** The table in which wrangler records migrations. */
const NOTES = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

interface Migrated {
  folder: string;
  /** Folder of the runtime's packages. */
  packages: string;
  children: Children;
}

/** A Worker that executes batches of statements. Through miniflare's API, each statement would be a separate call. */
const script = `export default {
  async fetch(request, { DB, KEY }) {
    // The key is required because any page in a browser may call a local port.
    if (new URL(request.url).pathname !== "/" + KEY) return new Response(null, { status: 404 });
    try {
      const batches = await request.json();
      const results = [];
      for (const batch of batches) {
        const statements = batch.map(([sql, ...values]) => DB.prepare(sql).bind(...values));
        results.push(await DB.batch(statements));
      }
      return Response.json(results.at(-1).at(-1).results);
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
}`;

/** Migrates the database of a service's folder. Throws BadInput. */
export async function migrate({ folder, packages, children }: Migrated): Promise<void> {
  const names = readdirSync(migrations).filter((name) => name.endsWith(".sql"));
  if (isNoted(folder, names)) return;
  const database = databaseOf(folder);
  const kept = packages === root && !existsSync(database) ? keptDatabase(names) : null;
  if (kept !== null && existsSync(kept) && copyWhole(kept, database)) return;
  const key = randomUUID();
  const runtime = await openRuntime(loadMiniflare(packages), {
    modules: true,
    script,
    bindings: { KEY: key },
    cf: false,
    d1Databases,
    resourcePersistencePath: join(stateOf(folder), "v3"),
    resourceTmpPath: join(folder, "tmp"),
  });
  children.note(ownProcesses("workerd serve"));
  try {
    await applyMigrations(new URL(key, await runtime.ready), names);
    note(folder, names);
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? `${message}, ${cause.message}` : message;
    throw new BadInput(
      `The local database could not be migrated: ${why}. Start over with --fresh, or delete ${folder}.`,
    );
  } finally {
    await runtime.dispose();
    children.note([]);
  }
  if (kept !== null) copyWhole(database, kept);
}

const migrations = join(root, "migrations");

/** Applies migrations in order, each in one batch with its record. */
async function applyMigrations(url: URL, names: readonly string[]): Promise<void> {
  const asked = async (batches: readonly Batch[]) => {
    const reply = await fetch(url, { method: "POST", body: JSON.stringify(batches) });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as { name: string }[];
  };
  const found = await asked([[[NOTES]], [["SELECT name FROM d1_migrations"]]]);
  const applied = new Set(found.map(({ name }) => name));
  const missing = names.filter((one) => !applied.has(one)).toSorted();
  if (missing.length > 0) await asked(missing.map(batchOf));
}

type Batch = [sql: string, ...values: string[]][];

const batchOf = (name: string): Batch => [
  ...readFileSync(join(migrations, name), "utf8")
    .split(BREAKPOINT)
    .map((sql): [string] => [sql]),
  ["INSERT INTO d1_migrations (name) VALUES (?)", name],
];

/** Path of a clone's cached empty database with these migrations, because creating one takes seconds. */
function keptDatabase(names: readonly string[]): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  hash.update(JSON.stringify([d1Databases, NOTES]));
  for (const name of names) {
    hash.update(`\0${name}\0`).update(readFileSync(join(migrations, name)));
  }
  return join(root, ".cache", "database", hash.digest("hex").slice(0, 16));
}

/** Copies a folder; false if that fails or another process does it at the same time. The copy only saves time. */
function copyWhole(from: string, to: string): boolean {
  let making: string | undefined;
  try {
    mkdirSync(dirname(to), { recursive: true });
    making = mkdtempSync(`${to}.`);
    cpSync(from, making, { recursive: true });
    renameSync(making, to);
    return true;
  } catch {
    if (making !== undefined) rmSync(making, { recursive: true, force: true });
    return false;
  }
}

/** The folder of the runtime's databases. */
const databaseOf = (folder: string) => join(stateOf(folder), "v3", "d1");

/** File with the applied migrations, next to the database, because reading the database requires a runtime. */
const notePath = (folder: string) => join(databaseOf(folder), "migrations.json");

function note(folder: string, names: readonly string[]): void {
  mkdirSync(dirname(notePath(folder)), { recursive: true });
  writeFileSync(notePath(folder), JSON.stringify(names));
}

/** Whether a database has every migration. */
function isNoted(folder: string, names: readonly string[]): boolean {
  try {
    const noted: unknown = JSON.parse(readFileSync(notePath(folder), "utf8"));
    return Array.isArray(noted) && names.every((name) => noted.includes(name));
  } catch {
    // The note does not exist or is incomplete.
    return false;
  }
}
