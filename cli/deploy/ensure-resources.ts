import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { BadInput } from "../errors.ts";
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
  print: Tell,
): Promise<string> {
  const id = await ensureDatabase(wrangler, names.database, print);
  await ensureBucket(wrangler, names.bucket, print);
  for (const queue of names.queues.values()) await ensureQueue(wrangler, queue, print);
  return id;
}

async function ensureDatabase(wrangler: Wrangler, name: string, print: Tell): Promise<string> {
  const before = await databaseId(wrangler, name);
  if (before === null) {
    await wrangler.run(`Making the database ${name}`, ["d1", "create", name]);
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

async function ensureBucket(wrangler: Wrangler, name: string, print: Tell): Promise<void> {
  const listed = await wrangler.run("Listing buckets", ["r2", "bucket", "list"]);
  const names = stripVTControlCharacters(listed).matchAll(/^name:\s+(\S+)$/gm);
  if ([...names].some(([, one]) => one === name)) return print(`Bucket ${name}`, false);
  const create = ["r2", "bucket", "create", name];
  const { ok, text } = await wrangler.try(create);
  if (!ok && !OWN_ALREADY.test(text)) await wrangler.run(`Making the bucket ${name}`, create);
  print(`Bucket ${name}`, ok);
}

/** Asked for by its name, since the list comes in pages. */
async function ensureQueue(wrangler: Wrangler, name: string, print: Tell): Promise<void> {
  const info = ["queues", "info", name];
  const { ok, text } = await wrangler.try(info);
  if (ok) return print(`Queue ${name}`, false);
  if (!text.includes("does not exist")) await wrangler.run(`Looking for the queue ${name}`, info);
  await wrangler.run(`Making the queue ${name}`, ["queues", "create", name]);
  print(`Queue ${name}`, true);
}
