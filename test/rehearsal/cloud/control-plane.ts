import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import { type Context, Hono } from "hono";
import type { Account, QueueConsumer, Script, ScriptBinding, ScriptMetadata } from "./account.ts";
import { timeTravel } from "./time-travel.ts";

/** What the stand-in does where data are: it runs SQL, keeps objects, and boots what is uploaded. */
export interface DataPlane {
  /** Told of anything that changes what runs: the next request starts the runtime again, which takes seconds. */
  changed(): void;
  query(databaseId: string, sql: string, params: unknown[]): Promise<unknown[]>;
  getObject(bucket: string, key: string): Promise<Uint8Array | null>;
  putObject(bucket: string, key: string, content: Uint8Array): Promise<void>;
}

/** What a token may do, by the names that the dashboard gives its permissions. */
export type Permission =
  | "Workers Scripts"
  | "D1"
  | "Workers R2 Storage"
  | "Queues"
  | "Account Settings";

export interface ControlPlaneOptions {
  account: Account;
  token: string;
  permissions: ReadonlySet<Permission>;
  data: DataPlane;
  /** Called with each request before it is answered; what it gives is the answer. */
  intercept?: (call: string) => Response | undefined;
}

/**
 * What an account may have. Source: developers.cloudflare.com, workers/platform/limits, d1/platform/limits,
 * workers/static-assets/headers (2026-11).
 */
export const MOST = {
  free: { crons: 5, databases: 10, assets: 20_000, variables: 64 },
  paid: { crons: 250, databases: 50_000, assets: 100_000, variables: 128 },
  headerRules: 100,
};
export const ASSET_MAX_BYTES = 25 * 1024 * 1024;
/** Compressed; the newest page says 64 MiB, those before 2026-07 this. */
export const WORKER_MAX_BYTES = { free: 3_000_000, paid: 10_000_000 };
/** Hints of D1 and R2. Source: developers.cloudflare.com, data locations of both (2026-11). */
const LOCATIONS = new Set(["wnam", "enam", "weur", "eeur", "apac", "oc"]);
/** Of a secret or variable. */
const SECRET_MAX_BYTES = 5 * 1024;

/**
 * A stand-in of Cloudflare's API, as far as wrangler asks it: replies have the shapes that wrangler reads, errors the
 * codes that it knows. Paths: wrangler 4.156, `wrangler-dist/cli.js`.
 */
export function controlPlane(options: ControlPlaneOptions): Hono {
  const { account, token, permissions, data } = options;
  const limits = MOST[account.plan];
  const app = new Hono();
  const at = `/client/v4/accounts/${account.id}`;

  app.use(async (c, next) => {
    const intercepted = options.intercept?.(`${c.req.method} ${new URL(c.req.url).pathname}`);
    if (intercepted) return intercepted;
    // Their addresses carry what opens them.
    const isUpload = /\/workers\/assets\/upload|^\/exports\//.test(c.req.path);
    const bearer = c.req.header("authorization")?.replace("Bearer ", "");
    if (bearer !== token && !isUpload) return refusal(c, 403, 9109, "Invalid access token");
    return next();
  });
  const needs = (path: string, permission: Permission) =>
    app.use(path, async (c, next) =>
      permissions.has(permission) ? next() : refusal(c, 403, 10000, "Authentication error"),
    );
  needs(`${at}/workers/*`, "Workers Scripts");
  needs(`${at}/d1/*`, "D1");
  needs(`${at}/r2/*`, "Workers R2 Storage");
  needs(`${at}/queues/*`, "Queues");
  needs(`${at}/queues`, "Queues");

  // Who asks.
  app.get("/client/v4/user/tokens/verify", (c) => ok(c, { id: "token", status: "active" }));
  app.get("/client/v4/user", (c) =>
    refusal(c, 403, 9109, "Unauthorized to access requested resource"),
  );
  const listed = permissions.has("Account Settings")
    ? [{ id: account.id, name: account.name }]
    : [];
  app.get("/client/v4/accounts", (c) => ok(c, listed));
  app.get("/client/v4/memberships", (c) =>
    ok(
      c,
      listed.map((one) => ({ id: one.id, account: one })),
    ),
  );
  app.get(at, (c) => ok(c, { id: account.id, name: account.name }));

  // D1.
  const databases = () => [...account.databases.values()];
  app.get(`${at}/d1/database`, (c) => {
    const name = c.req.query("name");
    return paged(
      c,
      databases().filter((one) => name === undefined || one.name === name),
    );
  });
  app.post(`${at}/d1/database`, async (c) => {
    const { name, ...place } = await c.req.json<{ name: string; primary_location_hint?: string }>();
    const location = place.primary_location_hint ?? null;
    if (location !== null && !LOCATIONS.has(location)) {
      return refusal(c, 400, 7400, `Invalid primary_location_hint: ${location}`);
    }
    if (databases().some((one) => one.name === name)) {
      return refusal(c, 400, 7502, `A database with name '${name}' already exists`);
    }
    if (account.databases.size >= limits.databases) {
      return refusal(c, 403, 7406, "You have reached the maximum number of D1 databases");
    }
    const made = { uuid: randomUUID(), name, location };
    account.databases.set(made.uuid, made);
    data.changed();
    return ok(c, { ...made, version: "production", num_tables: 0, file_size: 8192 });
  });
  app.get(`${at}/d1/database/:id`, (c) => {
    const found = databases().find(({ uuid, name }) => [uuid, name].includes(c.req.param("id")));
    return found
      ? ok(c, { ...found, version: "production", num_tables: 0, file_size: 8192 })
      : refusal(c, 404, 7404, `The database ${c.req.param("id")} could not be found`);
  });
  app.post(`${at}/d1/database/:id/query`, async (c) => {
    const { sql, params = [] } = await c.req.json<{ sql: string; params?: unknown[] }>();
    try {
      return ok(c, await data.query(c.req.param("id"), sql, params));
    } catch (error) {
      return refusal(c, 400, 7500, error instanceof Error ? error.message : String(error));
    }
  });

  timeTravel(app, at, data, { ok, refuse: (c, message) => refusal(c, 400, 7501, message) });

  // R2.
  app.use(`${at}/r2/*`, async (c, next) =>
    account.hasR2
      ? next()
      : refusal(c, 403, 10042, "Please enable R2 through the Cloudflare Dashboard."),
  );
  app.get(`${at}/r2/buckets`, (c) =>
    ok(c, {
      buckets: [...account.buckets]
        .sort()
        .slice(0, 20)
        .map((name) => ({ name, creation_date: "2026-11-24T00:00:00.000Z" })),
    }),
  );
  app.post(`${at}/r2/buckets`, async (c) => {
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
    account.buckets.add(name);
    data.changed();
    return ok(c, {});
  });
  app.get(`${at}/r2/buckets/:name`, (c) =>
    account.buckets.has(c.req.param("name"))
      ? ok(c, { name: c.req.param("name"), creation_date: "2026-11-24T00:00:00.000Z" })
      : refusal(c, 404, 10006, "The specified bucket does not exist."),
  );
  app.get(`${at}/r2/buckets/:name/objects/:key{.+}`, async (c) => {
    if (!account.buckets.has(c.req.param("name"))) {
      return refusal(c, 404, 10006, "The specified bucket does not exist.");
    }
    const found = await data.getObject(c.req.param("name"), c.req.param("key"));
    if (found === null) return refusal(c, 404, 10007, "The specified key does not exist.");
    return new Response(new Uint8Array(found));
  });
  app.put(`${at}/r2/buckets/:name/objects/:key{.+}`, async (c) => {
    if (!account.buckets.has(c.req.param("name"))) {
      return refusal(c, 404, 10006, "The specified bucket does not exist.");
    }
    const content = new Uint8Array(await c.req.arrayBuffer());
    await data.putObject(c.req.param("name"), c.req.param("key"), content);
    return ok(c, { key: c.req.param("key"), size: `${content.length}` });
  });

  // Queues.
  const queueOf = (id: string) =>
    [...account.queues.values()].find((one) => one.id === id || one.name === id);
  const queueReply = ({ id, name, consumer }: NonNullable<ReturnType<typeof queueOf>>) => ({
    queue_id: id,
    queue_name: name,
    created_on: "2026-11-24T00:00:00Z",
    modified_on: "2026-11-24T00:00:00Z",
    producers: [],
    producers_total_count: 0,
    consumers: consumer ? [consumerReply(consumer, name)] : [],
    consumers_total_count: consumer ? 1 : 0,
    settings: { delivery_delay: 0, message_retention_period: 345_600 },
  });
  app.get(`${at}/queues`, (c) => {
    const name = c.req.query("name");
    const found = [...account.queues.values()].filter((one) => !name || one.name === name);
    return paged(c, found.map(queueReply));
  });
  app.post(`${at}/queues`, async (c) => {
    const { queue_name: name } = await c.req.json<{ queue_name: string }>();
    if (account.queues.has(name)) {
      return refusal(c, 409, 11009, `Queue name '${name}' is already taken.`);
    }
    const made = { id: randomUUID().replaceAll("-", ""), name, consumer: null };
    account.queues.set(name, made);
    return ok(c, queueReply(made));
  });
  app.get(`${at}/queues/:id`, (c) => {
    const found = queueOf(c.req.param("id"));
    return found ? ok(c, queueReply(found)) : refusal(c, 404, 11000, "Queue not found");
  });
  app.get(`${at}/queues/:id/consumers`, (c) => {
    const found = queueOf(c.req.param("id"));
    return ok(c, found?.consumer ? [consumerReply(found.consumer, found.name)] : []);
  });
  const setConsumer = async (c: Context) => {
    const queue = queueOf(c.req.param("id") ?? "");
    if (!queue) return refusal(c, 404, 11000, "Queue not found");
    const asked = await c.req.json();
    const other = queue.consumer;
    if (c.req.method === "POST" && other !== null) {
      return refusal(c, 409, 11004, `Queue '${queue.name}' already has a consumer.`);
    }
    const { dead_letter_queue: deadLetterQueue = null } = asked;
    if (deadLetterQueue !== null && !account.queues.has(deadLetterQueue)) {
      return refusal(c, 404, 11000, `Dead letter queue '${deadLetterQueue}' not found`);
    }
    queue.consumer = {
      id: other?.id ?? randomUUID().replaceAll("-", ""),
      script: asked.script_name,
      deadLetterQueue,
      settings: asked.settings ?? {},
    };
    return ok(c, consumerReply(queue.consumer, queue.name));
  };
  app.post(`${at}/queues/:id/consumers`, setConsumer);
  app.put(`${at}/queues/:id/consumers/:consumer`, setConsumer);

  // Workers.
  const scriptOf = (c: Context) => account.scripts.get(c.req.param("name") ?? "");
  const noScript = (c: Context) =>
    refusal(c, 404, 10007, "This Worker does not exist on your account.");
  app.get(`${at}/workers/services/:name`, (c) => {
    const script = scriptOf(c);
    if (!script) return refusal(c, 404, 10090, "This service does not exist on your account.");
    const its = { tag: script.tag, tags: [], last_deployed_from: "wrangler" };
    return ok(c, {
      id: script.name,
      default_environment: { environment: "production", script: its },
    });
  });
  app.get(`${at}/workers/scripts`, (c) =>
    ok(
      c,
      [...account.scripts.values()].map(({ name, tag }) => ({ id: name, tag })),
    ),
  );
  app.post(`${at}/workers/scripts/:name/assets-upload-session`, async (c) => {
    const { manifest } = await c.req.json<{ manifest: Manifest }>();
    const files = Object.values(manifest);
    if (files.length > limits.assets) {
      return refusal(c, 413, 100315, `Asset count exceeds ${limits.assets}`);
    }
    const large = files.find(({ size }) => size > ASSET_MAX_BYTES);
    if (large) return refusal(c, 413, 100316, "Asset too large");
    const session = { manifest, script: c.req.param("name") };
    const missing = [...new Set(files.map(({ hash }) => hash))].filter(
      (hash) => !account.assets.has(hash),
    );
    const buckets: string[][] = [];
    for (let k = 0; k < missing.length; k += 100) buckets.push(missing.slice(k, k + 100));
    return ok(c, { jwt: jwtOf(session), buckets }, 201);
  });
  app.post(`${at}/workers/assets/upload`, async (c) => {
    const session = sessionOf(c.req.header("authorization")?.replace("Bearer ", "") ?? "");
    if (session === null) return refusal(c, 401, 10000, "Authentication error");
    const form = await c.req.formData();
    for (const [hash, part] of form.entries()) {
      const text = typeof part === "string" ? part : await part.text();
      const type = typeof part === "string" ? "application/null" : part.type;
      account.assets.set(hash, { hash, content: Buffer.from(text, "base64"), type });
    }
    const isWhole = Object.values(session.manifest).every(({ hash }) => account.assets.has(hash));
    return isWhole ? ok(c, { jwt: jwtOf(session) }, 201) : ok(c, {}, 202);
  });
  app.put(`${at}/workers/scripts/:name`, async (c) => {
    const uploaded = await readUpload(c);
    const refused = refusedUpload(account, uploaded);
    if (refused) return refusal(c, refused.status, refused.code, refused.message);
    const name = c.req.param("name");
    const before = account.scripts.get(name);
    const script = scriptFrom(name, uploaded, before, account);
    deploy(script);
    return ok(c, uploadReply(script));
  });
  app.post(`${at}/workers/scripts/:name/versions`, async (c) => {
    const before = scriptOf(c);
    if (!before) return noScript(c);
    const uploaded = await readUpload(c);
    const refused = refusedUpload(account, uploaded);
    if (refused) return refusal(c, refused.status, refused.code, refused.message);
    const next = scriptFrom(before.name, uploaded, before, account);
    versions.set(next.version, next);
    return ok(c, {
      ...uploadReply(next),
      id: next.version,
      resources: { script: { etag: next.version } },
    });
  });
  const versions = new Map<string, Script>();
  const deployments: { script: string; version: string; at: string }[] = [];
  const deploy = (script: Script) => {
    versions.set(script.version, script);
    account.scripts.set(script.name, script);
    deployments.unshift({
      script: script.name,
      version: script.version,
      at: new Date(Date.now() + deployments.length).toISOString(),
    });
    data.changed();
  };
  app.get(`${at}/workers/scripts/:name/deployments`, (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const its = deployments.filter((one) => one.script === script.name).slice(0, 10);
    return ok(c, {
      deployments: its.map(({ version, at: time }) => deploymentReply(version, time)),
    });
  });
  app.post(`${at}/workers/scripts/:name/deployments`, async (c) => {
    const asked = await c.req.json<{ versions: { version_id: string }[] }>();
    const next = versions.get(asked.versions[0]?.version_id ?? "");
    const before = scriptOf(c);
    if (!next || !before) return refusal(c, 404, 10007, "This version does not exist.");
    // A version is code, bindings and limits; triggers are the Worker's.
    const { crons, isOnSubdomain, domains } = before;
    deploy({ ...next, crons, isOnSubdomain, domains });
    return ok(c, deploymentReply(next.version, deployments[0]!.at));
  });
  app.get(`${at}/workers/scripts/:name/versions/:version`, (c) => {
    const script = scriptOf(c);
    const its = script && (versions.get(c.req.param("version")) ?? script);
    return its ? ok(c, versionReply(its)) : noScript(c);
  });
  app.get(`${at}/workers/scripts/:name/versions`, (c) => {
    const script = scriptOf(c);
    return script ? ok(c, { items: [versionReply(script)] }) : noScript(c);
  });
  const settings = (c: Context) => (scriptOf(c) ? ok(c, { tags: [], bindings: [] }) : noScript(c));
  app.get(`${at}/workers/scripts/:name/settings`, settings);
  app.get(`${at}/workers/scripts/:name/script-settings`, settings);
  app.patch(`${at}/workers/scripts/:name/script-settings`, settings);
  app.get(`${at}/workers/scripts/:name/secrets`, (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    return ok(
      c,
      [...script.secrets.keys()].map((name) => ({ name, type: "secret_text" })),
    );
  });
  app.patch(`${at}/workers/scripts/:name/secrets-bulk`, async (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const { secrets } = await c.req.json<{ secrets: Record<string, { text: string } | null> }>();
    const set = Object.entries(secrets);
    if (set.some(([, its]) => Buffer.byteLength(its?.text ?? "") > SECRET_MAX_BYTES)) {
      return refusal(c, 400, 10054, "Secret is larger than 5 kB");
    }
    for (const [name, its] of set) {
      if (its === null) script.secrets.delete(name);
      else script.secrets.set(name, its.text);
    }
    data.changed();
    return ok(
      c,
      set.map(([name]) => ({ name, type: "secret_text" })),
    );
  });
  app.get(`${at}/workers/scripts/:name/schedules`, (c) =>
    ok(c, { schedules: (scriptOf(c)?.crons ?? []).map((cron) => ({ cron })) }),
  );
  app.put(`${at}/workers/scripts/:name/schedules`, async (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const crons = (await c.req.json<{ cron: string }[]>()).map(({ cron }) => cron);
    const others = [...account.scripts.values()].filter((one) => one !== script);
    if (others.flatMap((one) => one.crons).length + crons.length > limits.crons) {
      return refusal(c, 400, 10072, `You have exceeded the limit of ${limits.crons} cron triggers`);
    }
    if (!isDeepStrictEqual(script.crons, crons)) data.changed();
    script.crons = crons;
    return ok(c, { schedules: crons.map((cron) => ({ cron })) });
  });
  app.get(`${at}/workers/subdomain`, (c) =>
    account.subdomain === null
      ? refusal(c, 404, 10007, "You need to register a workers.dev subdomain")
      : ok(c, { subdomain: account.subdomain }),
  );
  app.get(`${at}/workers/workers/:name`, (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const subdomain = { enabled: script.isOnSubdomain, previews_enabled: false };
    return ok(c, { id: script.tag, name: script.name, subdomain });
  });
  app.get(`${at}/workers/scripts/:name/subdomain`, (c) =>
    ok(c, { enabled: scriptOf(c)?.isOnSubdomain ?? false, previews_enabled: false }),
  );
  app.post(`${at}/workers/scripts/:name/subdomain`, async (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const { enabled } = await c.req.json<{ enabled: boolean }>();
    if (script.isOnSubdomain !== enabled) data.changed();
    script.isOnSubdomain = enabled;
    return ok(c, { enabled, previews_enabled: false });
  });
  app.put(`${at}/workers/scripts/:name/domains/records`, async (c) => {
    const script = scriptOf(c);
    if (!script) return noScript(c);
    const { origins } = await c.req.json<{ origins: { hostname: string }[] }>();
    script.domains = origins.map(({ hostname }) => hostname);
    data.changed();
    return ok(c, []);
  });
  app.get(`${at}/workers/durable_objects/namespaces`, (c) => ok(c, []));
  app.notFound((c) => refusal(c, 404, 7003, `Could not route to ${c.req.method} ${c.req.path}`));
  return app;
}

interface Manifest {
  [path: string]: { hash: string; size: number };
}

interface UploadSession {
  manifest: Manifest;
  script: string;
}

interface Upload {
  metadata: ScriptMetadata;
  modules: Script["modules"];
  session: UploadSession | null;
}

/** Uploads that were begun, by the id that their token carries. */
const sessions = new Map<string, UploadSession>();

/** A token as wrangler takes it apart; nobody checks its signature. */
function jwtOf(session: UploadSession): string {
  const id = randomUUID();
  sessions.set(id, session);
  const part = (its: object) => Buffer.from(JSON.stringify(its)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return `${part({ alg: "none" })}.${part({ id, exp })}.none`;
}

function sessionOf(jwt: string): UploadSession | null {
  try {
    const { id } = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());
    return sessions.get(id) ?? null;
  } catch {
    return null;
  }
}

async function readUpload(c: Context): Promise<Upload> {
  const form = await c.req.formData();
  const metadata = JSON.parse(String(form.get("metadata"))) as ScriptMetadata;
  const modules: Script["modules"] = [];
  for (const [name, part] of form.entries()) {
    if (name === "metadata" || typeof part === "string") continue;
    const content = new Uint8Array(await part.arrayBuffer());
    modules.push({ name: part.name || name, type: part.type, content });
  }
  const session = metadata.assets ? sessionOf(metadata.assets.jwt) : null;
  return { metadata, modules, session };
}

/** Size of a Worker's code, compressed; its source maps do not count. */
export const workerBytes = ({ modules }: Pick<Script, "modules">): number =>
  modules
    .filter(({ type }) => !type.includes("source-map"))
    .reduce((sum, { content }) => sum + gzipSync(content).length, 0);

/** Rules of a Worker's _headers: each begins with a path, at the beginning of its line. */
export const headerRules = ({ assets }: ScriptMetadata): number =>
  String(assets?.config?.["_headers"] ?? "").match(/^[^\s#].*$/gm)?.length ?? 0;

interface Refusal {
  status: 400 | 403 | 404 | 413;
  code: number;
  message: string;
}

/** Bindings to what is not there, and limits that the plan has not. */
function refusedUpload(account: Account, { metadata, modules }: Upload): Refusal | null {
  if (account.plan === "free" && metadata.limits?.cpu_ms !== undefined) {
    const message = "CPU limits are not supported for the Free plan.";
    return { status: 400, code: 100328, message };
  }
  if (workerBytes({ modules }) > WORKER_MAX_BYTES[account.plan]) {
    const most = WORKER_MAX_BYTES[account.plan] / 1e6;
    const message = `Your Worker exceeded the size limit of ${most} MB.`;
    return { status: 413, code: 10027, message };
  }
  // The platform ignores those that come later: a deployment that has any is not what was rehearsed.
  if (headerRules(metadata) > MOST.headerRules) {
    const message = `_headers has more than ${MOST.headerRules} rules.`;
    return { status: 400, code: 100324, message };
  }
  const texts = (metadata.bindings ?? []).filter(({ type }) =>
    ["plain_text", "json", "secret_text"].includes(type),
  );
  if (texts.length > MOST[account.plan].variables) {
    const message = `The Worker has more than ${MOST[account.plan].variables} variables.`;
    return { status: 400, code: 10055, message };
  }
  for (const binding of metadata.bindings ?? []) {
    const refusal = refusedBinding(account, binding);
    if (refusal !== null) return refusal;
  }
  return null;
}

function refusedBinding(account: Account, binding: ScriptBinding): Refusal | null {
  const { type, name } = binding;
  const text = binding["text"] ?? JSON.stringify(binding["json"] ?? "");
  if (Buffer.byteLength(String(text)) > SECRET_MAX_BYTES) {
    return { status: 400, code: 10054, message: `Variable ${name} is larger than 5 kB` };
  }
  const has: Record<string, boolean> = {
    d1: account.databases.has(String(binding["id"])),
    r2_bucket: account.buckets.has(String(binding["bucket_name"])),
    queue: account.queues.has(String(binding["queue_name"])),
    service: account.scripts.has(String(binding["service"])),
  };
  if (has[type] !== false) return null;
  const message = `binding ${name} of type ${type} refers to something that does not exist`;
  return { status: 400, code: type === "service" ? 10143 : 10021, message };
}

function scriptFrom(
  name: string,
  { metadata, modules, session }: Upload,
  before: Script | undefined,
  account: Account,
): Script {
  const files = session && Object.entries(session.manifest);
  return {
    name,
    tag: before?.tag ?? randomUUID().replaceAll("-", ""),
    version: randomUUID(),
    metadata,
    modules,
    assets: files && new Map(files.map(([path, { hash }]) => [path, account.assets.get(hash)!])),
    secrets: before?.secrets ?? new Map(),
    crons: before?.crons ?? [],
    isOnSubdomain: before?.isOnSubdomain ?? false,
    domains: before?.domains ?? [],
  };
}

const consumerReply = (
  { id, script, deadLetterQueue, settings }: QueueConsumer,
  queue: string,
) => ({
  consumer_id: id,
  type: "worker",
  queue_name: queue,
  script,
  script_name: script,
  service: script,
  environment: "production",
  dead_letter_queue: deadLetterQueue ?? undefined,
  settings,
});

const uploadReply = ({ name, tag, version }: Script) => ({
  id: name,
  tag,
  etag: version,
  deployment_id: version.replaceAll("-", ""),
  startup_time_ms: 20,
  available_on_subdomain: true,
  pipeline_hash: null,
  mutable_pipeline_id: null,
});

const deploymentReply = (version: string, createdOn: string) => ({
  id: version,
  source: "wrangler",
  strategy: "percentage",
  author_email: "",
  created_on: createdOn,
  annotations: {},
  versions: [{ version_id: version, percentage: 100 }],
});

const versionReply = ({ version }: Script) => ({
  id: version,
  number: 1,
  metadata: { created_on: "2026-11-24T00:00:00Z", source: "wrangler", author_email: "" },
  annotations: {},
  resources: { bindings: [], script: { etag: version, handlers: ["fetch"] }, script_runtime: {} },
});

function ok(c: Context, result: unknown, status: 200 | 201 | 202 = 200): Response {
  return c.json({ success: true, errors: [], messages: [], result }, status);
}

/** A list, page by page, as wrangler asks for it. */
function paged(c: Context, all: readonly unknown[]): Response {
  const page = Number(c.req.query("page") ?? 1);
  const perPage = Number(c.req.query("per_page") ?? 50);
  const result = all.slice((page - 1) * perPage, page * perPage);
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const info = {
    page,
    per_page: perPage,
    count: result.length,
    total_count: all.length,
    total_pages: pages,
  };
  return c.json({ success: true, errors: [], messages: [], result, result_info: info });
}

function refusal(
  c: Context,
  status: 400 | 401 | 403 | 404 | 409 | 413,
  code: number,
  message: string,
): Response {
  return c.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    status,
  );
}
