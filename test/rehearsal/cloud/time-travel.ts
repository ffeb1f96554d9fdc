import { randomUUID } from "node:crypto";
import type { Context, Hono } from "hono";

type Row = Record<string, unknown>;
type Query = (id: string, sql: string) => Promise<Row[]>;

/** Statements that make a database from nothing. */
async function dumpOf(query: Query, id: string): Promise<string[]> {
  const made = await query(
    id,
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
      AND name NOT LIKE '_cf_%' ORDER BY type = 'index'`,
  );
  const rows: string[] = [];
  for (const { type, name } of made) {
    if (type !== "table") continue;
    const columns = await query(id, `SELECT name FROM pragma_table_info('${name}')`);
    const values = columns.map((one) => `quote("${one["name"]}")`).join(" || ',' || ");
    const lines = await query(id, `SELECT ${values} AS line FROM "${name}"`);
    rows.push(...lines.map(({ line }) => `INSERT INTO "${name}" VALUES (${line})`));
  }
  const sqlOf = (wanted: string) =>
    made.filter(({ type }) => type === wanted).map(({ sql }) => `${sql}`);
  return [...sqlOf("table"), ...rows, ...sqlOf("index")];
}

/**
 * Exports and Time Travel of D1, as wrangler 4.164 asks for them (`src/d1/export.ts`, `src/d1/timeTravel`). The platform
 * keeps every moment of 30 days; here the moments are those at which a bookmark was asked for.
 */
export function timeTravel(
  app: Hono,
  at: string,
  data: { query(id: string, sql: string, params: unknown[]): Promise<unknown[]> },
  reply: {
    ok(c: Context, result: unknown): Response;
    refuse(c: Context, message: string): Response;
  },
): void {
  const query: Query = async (id, sql) => {
    const [result] = (await data.query(id, sql, [])) as { results: Row[] }[];
    return result?.results ?? [];
  };
  const moments: { id: string; bookmark: string; at: number; dump: string[] }[] = [];
  const exports = new Map<string, string>();
  const keep = async (id: string) => {
    const moment = { id, bookmark: randomUUID(), at: Date.now(), dump: await dumpOf(query, id) };
    moments.push(moment);
    return moment;
  };
  app.get(`${at}/d1/database/:id/time_travel/bookmark`, async (c) => {
    const id = c.req.param("id");
    const timestamp = c.req.query("timestamp");
    if (timestamp === undefined) return reply.ok(c, { bookmark: (await keep(id)).bookmark });
    const before = moments.findLast((one) => one.id === id && one.at <= Date.parse(timestamp));
    return before
      ? reply.ok(c, { bookmark: before.bookmark })
      : reply.refuse(c, "Timestamp is too far in the past");
  });
  app.post(`${at}/d1/database/:id/time_travel/restore`, async (c) => {
    const id = c.req.param("id");
    const moment = moments.find((one) => one.bookmark === c.req.query("bookmark"));
    if (moment === undefined) return reply.refuse(c, "Bookmark not found");
    const previous = await keep(id);
    const tables = await query(
      id,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    );
    const drops = tables.map(({ name }) => `DROP TABLE "${name}"`);
    await data.query(id, [...drops, ...moment.dump].join(";\n"), []);
    return reply.ok(c, { bookmark: moment.bookmark, previous_bookmark: previous.bookmark });
  });
  app.post(`${at}/d1/database/:id/export`, async (c) => {
    const id = randomUUID();
    exports.set(id, `${(await dumpOf(query, c.req.param("id"))).join(";\n")};\n`);
    const result = { filename: `${id}.sql`, signed_url: new URL(`/exports/${id}`, c.req.url).href };
    return reply.ok(c, {
      success: true,
      type: "export",
      at_bookmark: id,
      status: "complete",
      messages: [],
      result,
    });
  });
  app.get("/exports/:id", (c) => c.text(exports.get(c.req.param("id")) ?? "", 200));
}
