import { env } from "cloudflare:workers";

const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table'
  AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;

/** Every row of every table, as one text. */
export async function allRows(): Promise<string> {
  const tables = await env.DB.prepare(TABLES).all<{ name: string }>();
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
