import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BadInput } from "../errors.ts";
import { type Database, loadMiniflare, openRuntime } from "./miniflare.ts";
import { type Children, ownProcesses } from "./processes.ts";
import { root } from "./root.ts";
import { stateOf } from "./wrangler.ts";

/** The database of `[env.local]` in wrangler.toml. */
const d1Databases = { DB: { id: "00000000-0000-0000-0000-000000000000" } };

/** As drizzle-kit writes it into migrations. */
const BREAKPOINT = "--> statement-breakpoint";

/** The table in which wrangler notes migrations, too. */
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

/** Migrates the database of a service's folder. Throws BadInput. */
export async function migrate({ folder, packages, children }: Migrated): Promise<void> {
  const names = readdirSync(migrations).filter((name) => name.endsWith(".sql"));
  if (isNoted(folder, names)) return;
  const runtime = await openRuntime(loadMiniflare(packages), {
    modules: true,
    script: "export default {}",
    cf: false,
    d1Databases,
    resourcePersistencePath: join(stateOf(folder), "v3"),
    resourceTmpPath: join(folder, "tmp"),
  });
  children.note(ownProcesses("workerd serve"));
  try {
    await applyMigrations(await runtime.getD1Database("DB"), names);
    note(folder, names);
  } catch (error) {
    const { message } = error as Error;
    throw new BadInput(
      `The local database could not be migrated: ${message}. Start over with --fresh, or delete ${folder}.`,
    );
  } finally {
    await runtime.dispose();
    children.note([]);
  }
}

const migrations = join(root, "migrations");

/** Each migration and its note together, in order. */
async function applyMigrations(database: Database, names: readonly string[]): Promise<void> {
  await database.batch([database.prepare(NOTES)]);
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(results.map(({ name }) => name));
  for (const name of names.filter((one) => !applied.has(one)).toSorted()) {
    const statements = readFileSync(join(migrations, name), "utf8").split(BREAKPOINT);
    const noting = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await database.batch([...statements.map((sql) => database.prepare(sql)), noting]);
  }
}

/** Next to the database, so that it is deleted with it: asking the database would need a runtime. */
const notePath = (folder: string) => join(stateOf(folder), "v3", "d1", "migrations.json");

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
    // There is none yet, or the note is incomplete.
    return false;
  }
}
