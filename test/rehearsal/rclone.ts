// Replaces rclone, so that the rehearsal needs no installation. Lists folders, copies objects from and to files, and
// deletes objects of a bucket in the stand-in's account through the paths of Cloudflare's API.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";

const { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token } = process.env;

const listSchema = z.object({
  result: z.array(z.object({ key: z.string() })),
  result_info: z.object({ delimited: z.array(z.string()), cursor: z.string().optional() }),
});

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${api}${path}`, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  return response;
}
const ask = async (path: string): Promise<unknown> => (await send(path)).json();

const accountsSchema = z.object({ result: z.array(z.object({ id: z.string() })) });
const accounts = accountsSchema.parse(await ask("/accounts"));

const [command, ...args] = process.argv.slice(2);
const remote = args.findIndex((one) => one.startsWith("r2:"));
const [, bucket, prefix = ""] = /^r2:([^/]+)\/?(.*)$/.exec(args[remote] ?? "") ?? [];
const objects = `/accounts/${accounts.result[0]?.id}/r2/buckets/${bucket}/objects`;
const pathOf = (key: string) => `${objects}/${key.split("/").map(encodeURIComponent).join("/")}`;

async function* listed(more: Record<string, string> = {}) {
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const query = new URLSearchParams({ prefix: prefix && `${prefix}/`, cursor, ...more });
    const page = listSchema.parse(await ask(`${objects}?${query}`));
    yield page;
    cursor = page.result_info.cursor;
  }
}
const keys = async () =>
  (await Array.fromAsync(listed())).flatMap(({ result }) => result.map(({ key }) => key));

if (command === "lsf" && args[0] === "--dirs-only") {
  for await (const { result_info } of listed({ delimiter: "/" }))
    for (const one of result_info.delimited) console.log(one.slice(prefix.length + 1));
} else if (command === "copy" && remote === 0) {
  const [, folder = ""] = args;
  for (const key of await keys()) {
    const file = join(folder, key);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, new Uint8Array(await (await send(pathOf(key))).arrayBuffer()));
  }
} else if (command === "copy" && args[0] === "--ignore-existing" && remote === 2) {
  const [, folder = ""] = args;
  const there = new Set(await keys());
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const one of files.filter((entry) => entry.isFile())) {
    const file = join(one.parentPath, one.name);
    const key = file.slice(folder.length + 1);
    if (there.has(key)) continue;
    await send(pathOf(key), { method: "PUT", body: readFileSync(file) });
  }
} else if (command === "delete") {
  for (const key of await keys()) await send(pathOf(key), { method: "DELETE" });
} else throw new Error(`the stand-in for rclone does not implement ${command}`);
