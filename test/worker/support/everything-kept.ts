import { env } from "cloudflare:workers";
import { USER_TABLES } from "../../support/user-tables.ts";

/** Every row of every table, as one text. */
export async function allRows(): Promise<string> {
  const tables = await env.DB.prepare(USER_TABLES).all<{ name: string }>();
  const contents = await Promise.all(
    tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`).all()),
  );
  return JSON.stringify(contents.map(({ results }) => results));
}

/** Every object of the bucket with its key and metadata, as one text. */
export async function allObjects(): Promise<string> {
  const { RESULTS } = env as unknown as { RESULTS: R2Bucket };
  const texts: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await RESULTS.list({ ...(cursor !== undefined && { cursor }) });
    for (const { key, httpMetadata, customMetadata } of page.objects) {
      const text = await (await RESULTS.get(key))?.text();
      texts.push(key, JSON.stringify({ httpMetadata, customMetadata }), text ?? "");
    }
    if (!page.truncated) return texts.join("\n");
    cursor = page.cursor;
  }
}
