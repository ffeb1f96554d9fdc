import { Hono } from "hono";
import { LOCATIONS } from "./account-limits.ts";
import type { Resources } from "./options.ts";
import { ok, refusal } from "./reply.ts";

/** R2: buckets and their objects. */
export function buckets({ account, data }: Resources): Hono {
  const app = new Hono();
  app.use(async (c, next) =>
    account.hasR2
      ? next()
      : refusal(c, 403, 10042, "Please enable R2 through the Cloudflare Dashboard."),
  );
  app.get("/", (c) =>
    ok(c, {
      buckets: [...account.buckets.keys()]
        .sort()
        .slice(0, 20)
        .map((name) => ({ name, creation_date: "2026-11-24T00:00:00.000Z" })),
    }),
  );
  app.post("/", async (c) => {
    const { name, locationHint = null } = await c.req.json<{
      name: string;
      locationHint?: string;
    }>();
    if (locationHint !== null && !LOCATIONS.has(locationHint)) {
      return refusal(c, 400, 10001, `The location hint ${locationHint} is not valid.`);
    }
    if (account.buckets.has(name)) {
      return refusal(
        c,
        409,
        10004,
        "The bucket you tried to create already exists, and you own it.",
      );
    }
    account.buckets.set(name, locationHint);
    data.changed();
    return ok(c, {});
  });
  app.use("/:name/*", async (c, next) =>
    account.buckets.has(c.req.param("name"))
      ? next()
      : refusal(c, 404, 10006, "The specified bucket does not exist."),
  );
  app.get("/:name", (c) =>
    ok(c, { name: c.req.param("name"), creation_date: "2026-11-24T00:00:00.000Z" }),
  );
  app.delete("/:name", async (c) => {
    const name = c.req.param("name");
    const { keys } = await data.listObjects(name, { prefix: "" });
    if (keys.length > 0) {
      const message = `The bucket you tried to delete (${name}) is not empty (account ${account.id}).`;
      return refusal(c, 409, 10008, message);
    }
    account.buckets.delete(name);
    data.changed();
    return ok(c, {});
  });
  app.get("/:name/objects", async (c) => {
    const { prefix = "", delimiter, cursor } = c.req.query();
    const { keys, folders, ...listed } = await data.listObjects(c.req.param("name"), {
      prefix,
      ...(delimiter !== undefined && { delimiter }),
      ...(cursor !== undefined && { cursor }),
    });
    const info = {
      delimited: folders,
      is_truncated: listed.cursor !== null,
      ...(listed.cursor !== null && { cursor: listed.cursor }),
    };
    const result = keys.map((key) => ({ key }));
    return c.json({ success: true, errors: [], messages: [], result, result_info: info });
  });
  app.get("/:name/objects/:key{.+}", async (c) => {
    const found = await data.getObject(c.req.param("name"), c.req.param("key"));
    if (found === null) return refusal(c, 404, 10007, "The specified key does not exist.");
    return new Response(new Uint8Array(found));
  });
  app.put("/:name/objects/:key{.+}", async (c) => {
    const content = new Uint8Array(await c.req.arrayBuffer());
    await data.putObject(c.req.param("name"), c.req.param("key"), content);
    return ok(c, { key: c.req.param("key"), size: `${content.length}` });
  });
  app.delete("/:name/objects/:key{.+}", async (c) => {
    await data.deleteObject(c.req.param("name"), c.req.param("key"));
    return ok(c, { key: c.req.param("key") });
  });
  return app;
}
