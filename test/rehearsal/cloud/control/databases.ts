import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { LOCATIONS, MOST } from "./account-limits.ts";
import type { Resources } from "./options.ts";
import { ok, paged, refusal } from "./reply.ts";

/** D1: databases and queries. */
export function databases({ account, data }: Resources): Hono {
  const app = new Hono();
  const all = () => [...account.databases.values()];
  app.get("/", (c) => {
    const name = c.req.query("name");
    return paged(
      c,
      all().filter((one) => name === undefined || one.name === name),
    );
  });
  app.post("/", async (c) => {
    const { name, ...place } = await c.req.json<{ name: string; primary_location_hint?: string }>();
    const location = place.primary_location_hint ?? null;
    if (location !== null && !LOCATIONS.has(location)) {
      return refusal(c, 400, 7400, `Invalid primary_location_hint: ${location}`);
    }
    if (all().some((one) => one.name === name)) {
      return refusal(c, 400, 7502, `A database with name '${name}' already exists`);
    }
    if (account.databases.size >= MOST[account.plan].databases) {
      return refusal(c, 403, 7406, "You have reached the maximum number of D1 databases");
    }
    const made = { uuid: randomUUID(), name, location };
    account.databases.set(made.uuid, made);
    data.changed();
    return ok(c, { ...made, version: "production", num_tables: 0, file_size: 8192 });
  });
  app.get("/:id", (c) => {
    const found = all().find(({ uuid, name }) => [uuid, name].includes(c.req.param("id")));
    return found
      ? ok(c, { ...found, version: "production", num_tables: 0, file_size: 8192 })
      : refusal(c, 404, 7404, `The database ${c.req.param("id")} could not be found`);
  });
  app.delete("/:id", (c) => {
    if (!account.databases.delete(c.req.param("id"))) {
      return refusal(c, 404, 7404, `The database ${c.req.param("id")} could not be found`);
    }
    data.changed();
    return ok(c, null);
  });
  app.post("/:id/query", async (c) => {
    const { sql, params = [] } = await c.req.json<{ sql: string; params?: unknown[] }>();
    try {
      return ok(c, await data.query(c.req.param("id"), sql, params));
    } catch (error) {
      return refusal(c, 400, 7500, error instanceof Error ? error.message : String(error));
    }
  });
  return app;
}
