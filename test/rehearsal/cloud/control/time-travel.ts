import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { dumpOf, queryOf } from "./dump.ts";
import type { Resources } from "./options.ts";
import { ok, refusal } from "./reply.ts";

/** A saved state of a database. */
interface Moment {
  id: string;
  bookmark: string;
  at: number;
  dump: string[];
}

/**
 * Time Travel of D1 for wrangler 4.156 (`src/d1/timeTravel`). The platform keeps every moment of the last 30 days; the
 * stand-in keeps only the moments at which a bookmark was requested.
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
    const [tables = []] = await query(
      id,
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    );
    const drops = tables.map(({ name }) => `DROP TABLE "${name}"`);
    await data.query(id, [...drops, ...moment.dump].join(";\n"), []);
    return ok(c, { bookmark: moment.bookmark, previous_bookmark: previous.bookmark });
  });
  return app;
}
