import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import type { Script } from "../account.ts";
import { SECRET_MAX_BYTES } from "./account-limits.ts";
import type { Resources } from "./options.ts";
import { noScript, ok, refusal } from "./reply.ts";
import { readUpload, refusedUpload, scriptFrom } from "./uploads.ts";

/** An uploaded or deployed state of a Worker, and its time. */
interface Version {
  script: Script;
  at: string;
}

/** Routes for versions of Workers: uploads, changes of secrets, and deployments. */
export function versions({ account, data }: Resources): Hono {
  const app = new Hono();
  const known = new Map<string, Version>();
  const deployments: Version[] = [];
  const keep = (script: Script): Version => {
    // Each version is later than the one before.
    const at = new Date(Date.now() + known.size + deployments.length).toISOString();
    const version = known.get(script.version) ?? { script, at };
    known.set(script.version, version);
    return { script, at };
  };
  const deploy = (script: Script) => {
    const deployment = keep(script);
    account.scripts.set(script.name, script);
    deployments.unshift(deployment);
    data.changed();
    return deploymentReply(deployment);
  };
  const of =
    ({ tag }: Script) =>
    ({ script }: Version) =>
      script.tag === tag;
  const setSecrets = (script: Script, set: readonly [name: string, text: string | null][]) => {
    const secrets = new Map(script.secrets);
    for (const [name, text] of set) {
      if (text === null) secrets.delete(name);
      else secrets.set(name, text);
    }
    // A change of secrets makes a new version with the same code.
    deploy({ ...script, version: randomUUID(), secrets });
  };
  for (const script of account.scripts.values()) deploy(script);

  app.put("/:name", async (c) => {
    const uploaded = await readUpload(c);
    const refused = refusedUpload(account, uploaded);
    if (refused) return refusal(c, refused.status, refused.code, refused.message);
    const name = c.req.param("name");
    const script = scriptFrom(name, uploaded, account.scripts.get(name), account);
    deploy(script);
    return ok(c, uploadReply(script));
  });
  app.post("/:name/versions", async (c) => {
    const before = account.scripts.get(c.req.param("name"));
    if (!before) return noScript(c);
    const uploaded = await readUpload(c);
    const refused = refusedUpload(account, uploaded);
    if (refused) return refusal(c, refused.status, refused.code, refused.message);
    const next = scriptFrom(before.name, uploaded, before, account);
    keep(next);
    return ok(c, {
      ...uploadReply(next),
      id: next.version,
      resources: { script: { etag: next.version } },
    });
  });
  app.get("/:name/versions/:version", (c) => {
    const version = known.get(c.req.param("version"));
    return version ? ok(c, versionReply(version)) : noScript(c);
  });
  app.get("/:name/versions", (c) => {
    const script = account.scripts.get(c.req.param("name"));
    if (!script) return noScript(c);
    return ok(c, { items: [...known.values()].filter(of(script)).map(versionReply) });
  });
  app.patch("/:name/secrets-bulk", async (c) => {
    const script = account.scripts.get(c.req.param("name"));
    if (!script) return noScript(c);
    const { secrets } = await c.req.json<{ secrets: Record<string, { text: string } | null> }>();
    const set = Object.entries(secrets);
    if (set.some(([, secret]) => Buffer.byteLength(secret?.text ?? "") > SECRET_MAX_BYTES)) {
      return refusal(c, 400, 10054, "Secret is larger than 5 kB");
    }
    setSecrets(
      script,
      set.map(([name, secret]) => [name, secret?.text ?? null]),
    );
    return ok(
      c,
      set.map(([name]) => ({ name, type: "secret_text" })),
    );
  });
  app.put("/:name/secrets", async (c) => {
    const script = account.scripts.get(c.req.param("name"));
    if (!script) return noScript(c);
    const { name, text } = await c.req.json<{ name: string; text: string }>();
    setSecrets(script, [[name, text]]);
    return ok(c, { name, type: "secret_text" });
  });
  app.get("/:name/deployments", (c) => {
    const script = account.scripts.get(c.req.param("name"));
    if (!script) return noScript(c);
    return ok(c, { deployments: deployments.filter(of(script)).slice(0, 10).map(deploymentReply) });
  });
  app.post("/:name/deployments", async (c) => {
    const asked = await c.req.json<{ versions: { version_id: string }[] }>();
    const next = known.get(asked.versions[0]?.version_id ?? "")?.script;
    const before = account.scripts.get(c.req.param("name"));
    if (!next || !before) return refusal(c, 404, 10007, "This version does not exist.");
    const changed = changedSecrets(before, next);
    if (changed.length > 0 && c.req.query("force") !== "true") {
      const message = `The following secrets have changed: ${changed.join(", ")}`;
      return refusal(c, 400, 10220, message);
    }
    // A version has code, bindings, secrets and limits; triggers belong to the Worker.
    const { crons, isOnSubdomain, domains } = before;
    return ok(c, deploy({ ...next, crons, isOnSubdomain, domains }));
  });
  return app;
}

/** Names of the secrets that differ between two versions. */
function changedSecrets(now: Script, next: Script): string[] {
  const names = new Set([...now.secrets.keys(), ...next.secrets.keys()]);
  return [...names].filter((name) => now.secrets.get(name) !== next.secrets.get(name));
}

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

const deploymentReply = ({ script: { version }, at }: Version) => ({
  id: version,
  source: "wrangler",
  strategy: "percentage",
  author_email: "",
  created_on: at,
  annotations: {},
  versions: [{ version_id: version, percentage: 100 }],
});

const versionReply = ({ script: { version }, at }: Version) => ({
  id: version,
  number: 1,
  metadata: { created_on: at, source: "wrangler", author_email: "" },
  annotations: {},
  resources: { bindings: [], script: { etag: version, handlers: ["fetch"] }, script_runtime: {} },
});
