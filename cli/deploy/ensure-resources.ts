import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";
import type { DataLocation } from "./deploy-options.ts";
import type { ResourceNames } from "./worker-configs.ts";
import type { Wrangler } from "./wrangler-client.ts";

const databasesSchema = z.array(z.object({ name: z.string(), uuid: z.string() }));

/** Parallel calls; each is a process of about 200 MB. */
const AT_ONCE = 4;

/** The bucket or queue already exists, from a deployment that stored no state or is just ending. */
const OWN_ALREADY = /bucket .*code: 10004\]|code: 11009\]/;
const NO_WORKER = /code: 10007\]|does not exist on your account/;
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** `create`: the command that creates it; null if it exists. */
type Resource = readonly [kind: string, name: string, create: readonly string[] | null];

/** Called for each resource, with whether it was just created. */
type Tell = (what: string, isNew: boolean) => void;

/**
 * Finds or creates the database, the bucket and the queues; returns the database's id, whether it is new, and
 * whether the account already has a Worker with the site's name. Throws BadInput.
 */
export async function ensureResources(
  wrangler: Wrangler,
  names: ResourceNames,
  { location, hasBucket }: { location: DataLocation; hasBucket: boolean },
  print: Tell,
) {
  const place = location === "auto" ? [] : ["--location", location];
  const { database, bucket, site } = names;
  const queues = [...names.queues.values()];
  const find = ["deployments", "list", "--name", site, "--json"];
  const [databases, listed, found] = await Promise.all([
    wrangler.run("Listing databases", ["d1", "list", "--json"]),
    listedQueues(wrangler, queues),
    wrangler.ask("Looking for the site's Worker", find, NO_WORKER),
  ]);
  const known = databasesSchema.parse(JSON.parse(databases)).find(({ name }) => name === database);
  const missing = (exists: boolean, create: string[]) => (exists ? null : create);
  const [created] = await makeMissing(wrangler, print, [
    ["Database", database, missing(known !== undefined, ["d1", "create", database, ...place])],
    ["Bucket", bucket, missing(hasBucket, ["r2", "bucket", "create", bucket, ...place])],
    ...queues.map(
      (name): Resource => ["Queue", name, missing(listed.has(name), ["queues", "create", name])],
    ),
  ]);
  const id = known?.uuid ?? uuid.exec(created ?? "")?.[0];
  if (id !== undefined) return { id, isNew: known === undefined, hasSite: found !== null };
  throw new BadInput(`The database ${database} was created, but its id was not shown: try again.`);
}

/**
 * Creates missing resources, several at a time; returns wrangler's output, null for existing ones. After an error,
 * waits for the running calls and starts no other.
 */
async function makeMissing(
  wrangler: Wrangler,
  print: Tell,
  resources: readonly Resource[],
): Promise<(string | null)[]> {
  const batch = resources.slice(0, AT_ONCE);
  const ended = await Promise.allSettled(
    batch.map(
      ([kind, name, create]) =>
        create && wrangler.ask(`Creating the ${kind.toLowerCase()} ${name}`, create, OWN_ALREADY),
    ),
  );
  for (const [i, one] of ended.entries()) {
    if (one.status === "fulfilled") print(`${batch[i]![0]} ${batch[i]![1]}`, one.value !== null);
  }
  // Throws the error of a failed call.
  const made = await Promise.all(
    ended.map((one) => (one.status === "fulfilled" ? one.value : Promise.reject(one.reason))),
  );
  const rest = resources.slice(AT_ONCE);
  return rest.length === 0 ? made : [...made, ...(await makeMissing(wrangler, print, rest))];
}

const migrationsSchema = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }));

/**
 * Applies the missing migrations; a new database is empty, or filled from an export. A database with migrations of a
 * later version is refused, except for a rollback: migrations only add for one release (test/house/migrations.test.ts),
 * so the previous release runs with them.
 */
export async function migrate(
  wrangler: Wrangler,
  config: string,
  {
    isNew,
    rollback: isRollback,
    database: file,
  }: { isNew: boolean; rollback: boolean; database: string | null },
) {
  let applied = isNew ? [] : await appliedMigrations(wrangler, config);
  if (file !== null) {
    if (applied.length > 0) {
      throw new BadInput(
        `--database fills only a new database. To replace this database with ${file}, delete the database first: npx wrangler d1 delete DB --config ${config}`,
      );
    }
    await wrangler.run("Filling the database", [...execute(config), "--yes", "--file", file]);
    applied = await appliedMigrations(wrangler, config);
  }
  const own = readdirSync(join(root, "migrations")).filter((file) => file.endsWith(".sql"));
  const later = applied.filter((name) => !own.includes(name));
  const names = later.join(", ");
  if (later.length > 0 && !isRollback) {
    throw new BadInput(
      `The database has migrations that this version does not know: ${names}. Check out the version that has them. To go back one release, whose code runs with them, add --rollback; to go back further, restore the database first (docs/deployment.md, Upgrade).`,
    );
  }
  if (own.some((name) => !applied.includes(name))) {
    const apply = ["d1", "migrations", "apply", "DB", "--remote", "--config", config];
    await wrangler.run("Applying the database's migrations", apply);
  }
  return later.length > 0 ? `  newer than this version, kept: ${names}` : "  up to date";
}

async function appliedMigrations(wrangler: Wrangler, config: string): Promise<string[]> {
  const select = ["--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const listed = await wrangler.ask(
    "Reading the migrations",
    [...execute(config), ...select],
    /no such table/,
  );
  const [rows] = listed === null ? [] : migrationsSchema.parse(JSON.parse(listed));
  return rows?.results.map(({ name }) => name) ?? [];
}

const execute = (config: string) => ["d1", "execute", "DB", "--remote", "--config", config];

/**
 * After a restore, the database has lost its later changes, but the bucket still has them. Lanes of active runs
 * get attempt numbers above all earlier ones, so that earlier holders cannot commit, and no object is written twice.
 * Everything public is published again.
 */
export async function makeConsistent(wrangler: Wrangler, config: string, now: number) {
  const live = "status IN ('queued', 'running', 'paused')";
  const statements = [
    `WITH RECURSIVE lanes_of(run_id, lane, lanes, origin) AS (
       SELECT id, 0, lanes, endpoint_origin FROM runs WHERE ${live}
       UNION ALL SELECT run_id, lane + 1, lanes, origin FROM lanes_of WHERE lane + 1 < lanes)
     INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
     SELECT run_id, lane, ${now}, 'restored', origin, '[]', 0 FROM lanes_of WHERE true
     ON CONFLICT (run_id, lane) DO UPDATE
     SET attempt = ${now}, holder = 'restored', commits = 0, crashes = 0, slots = 0, expires_at = 0`,
    "UPDATE publications SET root = NULL, changes = changes + 1",
  ];
  for (const statement of statements) {
    const command = statement.replaceAll(/\s+/g, " ");
    await wrangler.run("Making the database consistent", [
      ...execute(config),
      "--command",
      command,
    ]);
  }
}

/** Words in the lists of queues, including names: reads pages until all are found or a page has no new id. */
async function listedQueues(
  wrangler: Wrangler,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (let page = 1; ; page++) {
    const list = ["queues", "list", "--page", String(page)];
    const text = stripVTControlCharacters(await wrangler.run("Listing queues", list));
    const found = text.match(/[\w-]+/g) ?? [];
    const isOver = !found.some((word) => /^[0-9a-f]{32}$/.test(word) && !words.has(word));
    for (const word of found) words.add(word);
    if (isOver || wanted.every((name) => words.has(name))) return words;
  }
}
