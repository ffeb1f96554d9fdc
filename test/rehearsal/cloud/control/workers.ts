import { isDeepStrictEqual } from "node:util";
import { Hono } from "hono";
import type { Account } from "../account.ts";
import { MOST } from "./account-limits.ts";
import type { Resources } from "./options.ts";
import { noScript, ok, refusal } from "./reply.ts";

/** Routes for Workers, their deletion, and settings that are not part of a version. */
export function workers({ account, data }: Resources): Hono {
  const app = new Hono();
  const scriptOf = (name: string) => account.scripts.get(name);
  app.get("/services/:name", (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return refusal(c, 404, 10090, "This service does not exist on your account.");
    const summary = { tag: script.tag, tags: [], last_deployed_from: "wrangler" };
    return ok(c, {
      id: script.name,
      default_environment: { environment: "production", script: summary },
    });
  });
  app.delete("/services/:name", (c) => {
    const name = c.req.param("name");
    if (!scriptOf(name)) {
      return refusal(c, 404, 10090, "This service does not exist on your account.");
    }
    // Refused even with ?force=true.
    if ([...account.queues.values()].some(({ consumer }) => consumer?.script === name)) {
      return refusal(c, 400, 10064, "script still in use as a consumer for a queue");
    }
    account.scripts.delete(name);
    data.changed();
    return ok(c, null);
  });
  app.get("/scripts", (c) =>
    ok(
      c,
      [...account.scripts.values()].map(({ name, tag }) => ({ id: name, tag })),
    ),
  );
  app.get("/scripts/:name/references", (c) => {
    const incoming = boundTo(account, c.req.param("name")).map((service) => ({
      service,
      environment: "production",
    }));
    return ok(c, { services: { incoming, outgoing: [], pages_function: false } });
  });
  app.get("/tails/by-consumer/:name", (c) => ok(c, []));
  app.on(["GET", "PATCH"], ["/scripts/:name/settings", "/scripts/:name/script-settings"], (c) =>
    scriptOf(c.req.param("name")) ? ok(c, { tags: [], bindings: [] }) : noScript(c),
  );
  app.get("/scripts/:name/secrets", (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    return ok(
      c,
      [...script.secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    );
  });
  app.get("/scripts/:name/schedules", (c) =>
    ok(c, { schedules: (scriptOf(c.req.param("name"))?.crons ?? []).map((cron) => ({ cron })) }),
  );
  app.put("/scripts/:name/schedules", async (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    const crons = (await c.req.json<{ cron: string }[]>()).map(({ cron }) => cron);
    const others = [...account.scripts.values()].filter((one) => one !== script);
    const { crons: most } = MOST[account.plan];
    if (others.flatMap((one) => one.crons).length + crons.length > most) {
      return refusal(c, 400, 10072, `You have exceeded the limit of ${most} cron triggers`);
    }
    if (!isDeepStrictEqual(script.crons, crons)) data.changed();
    script.crons = crons;
    return ok(c, { schedules: crons.map((cron) => ({ cron })) });
  });
  app.get("/durable_objects/namespaces", (c) => ok(c, []));
  return app;
}

/** Workers with a service binding to this one. */
const boundTo = ({ scripts }: Account, name: string): string[] =>
  [...scripts.values()]
    .filter(({ metadata }) =>
      metadata.bindings?.some((one) => one.type === "service" && one["service"] === name),
    )
    .map((one) => one.name);

/** Routes for the hosts of Workers: workers.dev and domains. */
export function addresses({ account, data }: Resources): Hono {
  const app = new Hono();
  const scriptOf = (name: string) => account.scripts.get(name);
  app.get("/subdomain", (c) =>
    account.subdomain === null
      ? refusal(c, 404, 10007, "You need to register a workers.dev subdomain")
      : ok(c, { subdomain: account.subdomain }),
  );
  app.get("/workers/:name", (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    const subdomain = { enabled: script.isOnSubdomain, previews_enabled: false };
    return ok(c, { id: script.tag, name: script.name, subdomain });
  });
  app.get("/scripts/:name/subdomain", (c) => {
    const enabled = scriptOf(c.req.param("name"))?.isOnSubdomain ?? false;
    return ok(c, { enabled, previews_enabled: false });
  });
  app.post("/scripts/:name/subdomain", async (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    const { enabled } = await c.req.json<{ enabled: boolean }>();
    if (script.isOnSubdomain !== enabled) data.changed();
    script.isOnSubdomain = enabled;
    return ok(c, { enabled, previews_enabled: false });
  });
  app.post("/scripts/:name/domains/changeset", async (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    const origins = await c.req.json<{ hostname: string }[]>();
    const added = origins.filter(({ hostname }) => !script.domains.includes(hostname));
    return ok(c, { added, removed: [], updated: [], conflicting: [] });
  });
  app.put("/scripts/:name/domains/records", async (c) => {
    const script = scriptOf(c.req.param("name"));
    if (!script) return noScript(c);
    const { origins } = await c.req.json<{ origins: { hostname: string }[] }>();
    script.domains = origins.map(({ hostname }) => hostname);
    data.changed();
    return ok(c, []);
  });
  return app;
}
