import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import type { Account, Script, ScriptBinding, ScriptMetadata } from "../account.ts";
import {
  ASSET_MAX_BYTES,
  headerRules,
  MOST,
  SECRET_MAX_BYTES,
  variablesOf,
  WORKER_MAX_BYTES,
  workerBytes,
} from "./account-limits.ts";
import type { Resources } from "./options.ts";
import { ok, refusal } from "./reply.ts";

/** Uploads of static files, to which the upload of a Worker then refers. */
export function assetUploads({ account }: Resources): Hono {
  const app = new Hono();
  const { assets: most } = MOST[account.plan];
  app.post("/scripts/:name/assets-upload-session", async (c) => {
    const { manifest } = await c.req.json<{ manifest: Manifest }>();
    const files = Object.values(manifest);
    if (files.length > most) {
      return refusal(c, 413, 100315, `Asset count exceeds ${most}`);
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
  app.post("/assets/upload", async (c) => {
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

/** Started uploads by the id in their token. */
const sessions = new Map<string, UploadSession>();

/** A token that wrangler can decode; nothing checks its signature. */
function jwtOf(session: UploadSession): string {
  const id = randomUUID();
  sessions.set(id, session);
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
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

export async function readUpload(c: Context): Promise<Upload> {
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

interface Refusal {
  status: 400 | 403 | 404 | 413;
  code: number;
  message: string;
}

/** The reason to refuse an upload, such as a binding to a missing resource or a limit of the plan; null: none. */
export function refusedUpload(account: Account, { metadata, modules }: Upload): Refusal | null {
  if (account.plan === "free" && metadata.limits?.cpu_ms !== undefined) {
    const message = "CPU limits are not supported for the Free plan.";
    return { status: 400, code: 100328, message };
  }
  if (workerBytes({ modules }) > WORKER_MAX_BYTES[account.plan]) {
    const most = WORKER_MAX_BYTES[account.plan] / 1e6;
    const message = `Your Worker exceeded the size limit of ${most} MB.`;
    return { status: 413, code: 10027, message };
  }
  // The platform ignores rules beyond the limit. The stand-in refuses them, so that no deployment depends on them.
  if (headerRules(metadata) > MOST.headerRules) {
    const message = `_headers has more than ${MOST.headerRules} rules.`;
    return { status: 400, code: 100324, message };
  }
  if (variablesOf(metadata) > MOST[account.plan].variables) {
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

/** A new version of a Worker. */
export function scriptFrom(
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
