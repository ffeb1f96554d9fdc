import { readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";
import type { DataLocation } from "./deploy-options.ts";
import type { ResourceNames } from "./resource-names.ts";
import type { Wrangler } from "./wrangler-client.ts";

const databasesSchema = z.array(z.object({ name: z.string(), uuid: z.string() }));

/** The list stops after so many; what it lacks is refused as being there. */
const OWN_ALREADY = /code: 10004\]/;

/** Told of each resource, and whether it was made just now. */
type Tell = (what: string, isNew: boolean) => void;

/** Finds or makes the database, the bucket and the queues; gives the database's id. Throws BadInput. */
export async function ensureResources(
  wrangler: Wrangler,
  names: ResourceNames,
  location: DataLocation,
  print: Tell,
): Promise<string> {
  const place = location === "auto" ? [] : ["--location", location];
  const id = await ensureDatabase(wrangler, names.database, place, print);
  await ensureBucket(wrangler, names.bucket, place, print);
  await ensureQueues(wrangler, [...names.queues.values()], print);
  return id;
}

async function ensureDatabase(
  wrangler: Wrangler,
  name: string,
  place: readonly string[],
  print: Tell,
): Promise<string> {
  const before = await databaseId(wrangler, name);
  if (before === null) {
    await wrangler.run(`Making the database ${name}`, ["d1", "create", name, ...place]);
  }
  const id = before ?? (await databaseId(wrangler, name));
  if (id === null)
    throw new BadInput(`The database ${name} was created, but is not listed yet: try again.`);
  print(`Database ${name}`, before === null);
  return id;
}

const migrationsSchema = z.array(z.object({ results: z.array(z.object({ name: z.string() })) }));

/**
 * Applies the migrations that the database lacks. One that has migrations of a later version is refused, unless that is
 * wanted: migrations only add for one release (test/house/migrations.test.ts), so that the release before runs with them.
 */
export async function migrate(wrangler: Wrangler, config: string, isRollback: boolean) {
  const select = ["--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const listed = await wrangler.try([...execute(config), ...select]);
  const isNew = listed.text.includes("no such table");
  if (!listed.ok && !isNew)
    await wrangler.run("Reading the migrations", [...execute(config), ...select]);
  const applied = isNew ? [] : migrationsSchema.parse(JSON.parse(listed.stdout));
  const own = new Set(readdirSync(join(root, "migrations")));
  const later = applied.flatMap(({ results }) => results).filter(({ name }) => !own.has(name));
  const names = later.map(({ name }) => name).join(", ");
  if (later.length > 0 && !isRollback) {
    throw new BadInput(
      `The database has migrations that this version does not know: ${names}. Check out the version that made them. To go back one release, whose code runs with them, add --rollback; to go back further, restore the database first (docs/deployment.md, Upgrade).`,
    );
  }
  const apply = ["d1", "migrations", "apply", "DB", "--remote", "--config", config];
  await wrangler.run("Applying the database's migrations", apply);
  return later.length > 0 ? `  newer than this version, kept: ${names}` : "  up to date";
}

const execute = (config: string) => ["d1", "execute", "DB", "--remote", "--config", config];

/**
 * What was in the database since the moment to which it was restored is gone, and the bucket has it still. Lanes of
 * active runs get attempt numbers above all that there were: no holder from before can commit, and no object is
 * written twice. All that is public is published again.
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

async function databaseId(wrangler: Wrangler, name: string): Promise<string | null> {
  const listed = await wrangler.run("Listing databases", ["d1", "list", "--json"]);
  const databases = databasesSchema.parse(JSON.parse(listed));
  return databases.find((one) => one.name === name)?.uuid ?? null;
}

async function ensureBucket(
  wrangler: Wrangler,
  name: string,
  place: readonly string[],
  print: Tell,
): Promise<void> {
  const listed = await wrangler.run("Listing buckets", ["r2", "bucket", "list"]);
  const names = stripVTControlCharacters(listed).matchAll(/^name:\s+(\S+)$/gm);
  if ([...names].some(([, one]) => one === name)) return print(`Bucket ${name}`, false);
  const create = ["r2", "bucket", "create", name, ...place];
  const { ok, text } = await wrangler.try(create);
  if (!ok && !OWN_ALREADY.test(text)) await wrangler.run(`Making the bucket ${name}`, create);
  print(`Bucket ${name}`, ok);
}

async function ensureQueues(wrangler: Wrangler, names: string[], print: Tell): Promise<void> {
  const listed = await listedQueues(wrangler);
  for (const name of names) {
    const isNew = !listed.has(name);
    if (isNew) await wrangler.run(`Making the queue ${name}`, ["queues", "create", name]);
    print(`Queue ${name}`, isNew);
  }
}

/** Words of the lists of queues, names among them: page by page, until one names no id that is new. */
async function listedQueues(wrangler: Wrangler): Promise<ReadonlySet<string>> {
  const words = new Set<string>();
  for (let page = 1; ; page++) {
    const list = ["queues", "list", "--page", String(page)];
    const text = stripVTControlCharacters(await wrangler.run("Listing queues", list));
    const found = text.match(/[\w-]+/g) ?? [];
    const isOver = !found.some((word) => /^[0-9a-f]{32}$/.test(word) && !words.has(word));
    for (const word of found) words.add(word);
    if (isOver) return words;
  }
}
