import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { BadInput } from "../errors.ts";
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
