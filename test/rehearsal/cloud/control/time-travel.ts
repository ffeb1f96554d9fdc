import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { DataPlane, Resources } from "./options.ts";
import { ok, refusal } from "./reply.ts";

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
    const values = columns.map((one, i) => `quote("${one["name"]}") AS c${i}`).join(", ");
    const lines = await query(id, `SELECT ${values} FROM "${name}"`);
    rows.push(...lines.map((one) => `INSERT INTO "${name}" VALUES (${Object.values(one).join()})`));
  }
  const sqlOf = (wanted: string) =>
    made.filter(({ type }) => type === wanted).map(({ sql }) => `${sql}`);
  return [...sqlOf("table"), ...rows, ...sqlOf("index")];
}

/** A database as it was. */
interface Moment {
  id: string;
  bookmark: string;
  at: number;
  dump: string[];
}

const queryOf =
  (data: Pick<DataPlane, "query">): Query =>
  async (id, sql) => {
    const [result] = (await data.query(id, sql, [])) as { results: Row[] }[];
    return result?.results ?? [];
  };

/**
 * Time Travel of D1, as wrangler 4.156 asks for it (`src/d1/timeTravel`). The platform keeps every moment of 30 days;
 * here the moments are those at which a bookmark was asked for.
 */
export function timeTravel({ data }: Resources): Hono {
  const app = new Hono();
  const query = queryOf(data);
  const moments: Moment[] = [];
  const keep = async (id: string) => {
    const moment = { id, bookmark: randomUUID(), at: Date.now(), dump: await dumpOf(query, id) };
    moments.push(moment);
    return moment;
  };
  app.get("/:id/time_travel/bookmark", async (c) => {
    const id = c.req.param("id");
    const timestamp = c.req.query("timestamp");
    if (timestamp === undefined) return ok(c, { bookmark: (await keep(id)).bookmark });
    const before = moments.findLast((one) => one.id === id && one.at <= Date.parse(timestamp));
    return before
      ? ok(c, { bookmark: before.bookmark })
      : refusal(c, 400, 7501, "Timestamp is too far in the past");
  });
  app.post("/:id/time_travel/restore", async (c) => {
    const id = c.req.param("id");
    const moment = moments.find((one) => one.bookmark === c.req.query("bookmark"));
    if (moment === undefined) return refusal(c, 400, 7501, "Bookmark not found");
    const previous = await keep(id);
    const tables = await query(
      id,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    );
    const drops = tables.map(({ name }) => `DROP TABLE "${name}"`);
    await data.query(id, [...drops, ...moment.dump].join(";\n"), []);
    return ok(c, { bookmark: moment.bookmark, previous_bookmark: previous.bookmark });
  });
  return app;
}

/**
 * Exports of D1, as wrangler 4.156 asks for them (`src/d1/export.ts`): the first call begins one, further calls with
 * its bookmark ask for the address of the file.
 */
export function exports({ data }: Resources): Hono {
  const app = new Hono();
  const files = new Map<string, string>();
  app.post("/:id/export", async (c) => {
    const { current_bookmark: begun } = await c.req.json<{ current_bookmark?: string }>();
    const reply = { success: true, type: "export", messages: [] };
    if (begun === undefined) {
      const bookmark = randomUUID();
      const dump = await dumpOf(queryOf(data), c.req.param("id"));
      files.set(bookmark, `${["PRAGMA defer_foreign_keys=TRUE", ...dump].join(";\n")};\n`);
      return ok(c, { ...reply, at_bookmark: bookmark, status: "active" });
    }
    if (!files.has(begun)) return refusal(c, 400, 7501, "Export not found");
    const signed_url = c.req.url.replace(/[^/]+\/export$/, `exports/${begun}`);
    const result = { filename: `${begun}.sql`, signed_url };
    return ok(c, { ...reply, at_bookmark: begun, status: "complete", result });
  });
  app.get("/exports/:bookmark", (c) => {
    const file = files.get(c.req.param("bookmark"));
    return file === undefined ? c.text("Not found", 404) : c.text(file);
  });
  return app;
}
