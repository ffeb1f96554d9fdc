// Takes the place of rclone, so that the rehearsal needs no installation: lists folders and deletes what is in a bucket of
// the stand-in's account, over the paths that Cloudflare's API has for it.
import { z } from "zod";

const { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token } = process.env;

const listSchema = z.object({
  result: z.array(z.object({ key: z.string() })),
  result_info: z.object({ delimited: z.array(z.string()), cursor: z.string().optional() }),
});

async function ask(path: string, method = "GET"): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${api}${path}`, { method, headers });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const accountsSchema = z.object({ result: z.array(z.object({ id: z.string() })) });
const accounts = accountsSchema.parse(await ask("/accounts"));

const [command, ...args] = process.argv.slice(2);
const [, bucket, prefix = ""] = /^r2:([^/]+)\/?(.*)$/.exec(args.at(-1) ?? "") ?? [];
const objects = `/accounts/${accounts.result[0]?.id}/r2/buckets/${bucket}/objects`;

if (command === "lsf" && args[0] === "--dirs-only") {
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const query = new URLSearchParams({ prefix: `${prefix}/`, delimiter: "/", cursor });
    const listed = listSchema.parse(await ask(`${objects}?${query}`));
    for (const one of listed.result_info.delimited) console.log(one.slice(prefix.length + 1));
    cursor = listed.result_info.cursor;
  }
} else if (command === "delete") {
  for (;;) {
    const { result } = listSchema.parse(await ask(objects));
    if (result.length === 0) break;
    for (const { key } of result) await ask(`${objects}/${encodeURIComponent(key)}`, "DELETE");
  }
} else throw new Error(`rclone ${command} is not played`);
