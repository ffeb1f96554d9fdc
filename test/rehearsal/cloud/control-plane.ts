import { Hono } from "hono";
import { buckets } from "./control/buckets.ts";
import { databaseFiles } from "./control/database-files.ts";
import { databases } from "./control/databases.ts";
import type { ControlPlaneOptions, Permission } from "./control/options.ts";
import { queues } from "./control/queues.ts";
import { ok, refusal } from "./control/reply.ts";
import { timeTravel } from "./control/time-travel.ts";
import { assetUploads } from "./control/uploads.ts";
import { versions } from "./control/versions.ts";
import { addresses, workers } from "./control/workers.ts";

/**
 * A stand-in for the part of Cloudflare's API that wrangler uses, with the reply formats and error codes that wrangler
 * reads. Paths: wrangler 4.156, `wrangler-dist/cli.js`.
 */
export function controlPlane(options: ControlPlaneOptions): Hono {
  const { account, token, permissions } = options;
  const app = new Hono();
  const at = `/client/v4/accounts/${account.id}`;

  app.use(async (c, next) => {
    const intercepted = options.intercept?.(`${c.req.method} ${new URL(c.req.url).pathname}`);
    if (intercepted) return intercepted;
    // These URLs contain their own credentials.
    const isOpen = /\/workers\/assets\/upload|\/d1\/database\/files\//.test(c.req.path);
    const bearer = c.req.header("authorization")?.replace("Bearer ", "");
    if (bearer !== token && !isOpen) return refusal(c, 403, 9109, "Invalid access token");
    return next();
  });
  const needs = (path: string, permission: Permission | null) =>
    app.use(`${at}${path}`, async (c, next) =>
      permission !== null && permissions.has(permission)
        ? next()
        : refusal(c, 403, 10000, "Authentication error"),
    );
  needs("/workers/*", "Workers Scripts");
  needs("/d1/*", "D1");
  needs("/r2/*", "Workers R2 Storage");
  needs("/queues/*", "Queues");
  // Wrangler checks for Workers Sites, which needs no permission here.
  needs("/storage/kv/*", null);

  app.route("/client/v4", identity(options));
  app.get(at, (c) => ok(c, { id: account.id, name: account.name }));
  for (const routes of [databases, timeTravel, databaseFiles]) {
    app.route(`${at}/d1/database`, routes(options));
  }
  app.route(`${at}/r2/buckets`, buckets(options));
  app.route(`${at}/queues`, queues(options));
  for (const routes of [workers, addresses, assetUploads]) {
    app.route(`${at}/workers`, routes(options));
  }
  app.route(`${at}/workers/scripts`, versions(options));
  app.notFound((c) => {
    options.onUnknown?.(`${c.req.method} ${c.req.path}`);
    return refusal(c, 404, 7003, `Could not route to ${c.req.method} ${c.req.path}`);
  });
  return app;
}

/** Routes about the token and its accounts. */
function identity({ account, permissions }: ControlPlaneOptions): Hono {
  const app = new Hono();
  app.get("/user/tokens/verify", (c) => ok(c, { id: "token", status: "active" }));
  app.get("/user", (c) => refusal(c, 403, 9109, "Unauthorized to access requested resource"));
  const listed = permissions.has("Account Settings")
    ? [{ id: account.id, name: account.name }]
    : [];
  app.get("/accounts", (c) => ok(c, listed));
  app.get("/memberships", (c) =>
    ok(
      c,
      listed.map((one) => ({ id: one.id, account: one })),
    ),
  );
  return app;
}
