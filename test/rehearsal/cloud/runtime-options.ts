import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import type { Account, Script, ScriptBinding } from "./account.ts";
import type { Distances, Limits } from "./limits.ts";
import { miniflare } from "./miniflare.ts";

/** Name of a Worker that has every database and bucket, for the API. It runs no code of a deployment. */
export const KEEPER = "keeper";
const WARN = 2;

/** The environment of the uploaded Workers. */
interface Around {
  account: Account;
  /** Folder of data and uploaded files. */
  folder: string;
  distances: Distances;
  limitsOf: (script: string) => Limits;
  print: (line: string) => void;
  /** Receives reports and messages of the Workers. */
  hear: (request: Request) => Promise<Response>;
  outside: (request: Request) => Promise<Response>;
}

/** Options of the local runtime for all uploads. */
export function runtimeOptions(around: Around) {
  const { databases, buckets, scripts } = around.account;
  const own = {
    name: KEEPER,
    modules: [{ type: "ESModule", path: "keeper.mjs", contents: "export default {};" }],
    d1Databases: Object.fromEntries([...databases.keys()].map((id) => [id, id])),
    r2Buckets: Object.fromEntries([...buckets.keys()].map((name) => [name, name])),
  };
  return {
    host: "127.0.0.1",
    port: 0,
    inspectorPort: 0,
    cf: false,
    logRequests: false,
    log: Object.assign(new (miniflare().Log)(WARN), {
      log: around.print,
    }),
    handleStructuredLogs: ({ message }: { message: string }) => around.print(message),
    resourcePersistencePath: join(around.folder, "data"),
    workers: [
      own,
      ...[...scripts.values()].map((script) => ({
        ...workerOptions(script, around),
        routes: hostsOf(script, around.account.subdomain).map((host) => `${host}/*`),
      })),
    ],
  };
}

function workerOptions(
  { name, metadata, modules, assets, secrets, version }: Script,
  around: Around,
) {
  const { bindings = [] } = metadata;
  const of = (type: string) => bindings.filter((one) => one.type === type);
  const named = (type: string, value: (one: ScriptBinding) => unknown) =>
    Object.fromEntries(of(type).map((one) => [one.name, value(one)]));
  return {
    name,
    ...(modules.length === 0
      ? { modules: [{ type: "ESModule", path: "assets.mjs", contents: ASSETS_ONLY }] }
      : { modules: limitedModules(modules, metadata.main_module ?? "") }),
    compatibilityDate: metadata.compatibility_date,
    // The wrapping module has to know the invocation of each request.
    compatibilityFlags: [...(metadata.compatibility_flags ?? []), "nodejs_als"],
    bindings: {
      REHEARSAL_NAME: name,
      REHEARSAL_LIMITS: around.limitsOf(name),
      REHEARSAL_RATE_LIMITS: named("ratelimit", (one) => one["simple"]),
      REHEARSAL_SERVICES: of("service").map((one) => one.name),
      REHEARSAL_DISTANCES: around.distances,
      REHEARSAL_QUEUES: named("queue", (one) => one["queue_name"]),
      ...named("plain_text", ({ text }) => text),
      ...named("json", ({ json }) => json),
      ...Object.fromEntries(secrets),
    },
    d1Databases: named("d1", ({ id }) => id),
    r2Buckets: named("r2_bucket", (one) => one["bucket_name"]),
    serviceBindings: {
      ...named("service", ({ service }) => service),
      REHEARSAL: (request: Request) => around.hear(request),
    },
    outboundService: (request: Request) => around.outside(request),
    ratelimits: named("ratelimit", (one) => ({
      namespace_id: one["namespace_id"],
      simple: one["simple"],
    })),
    ...(assets && {
      assets: assetOptions(join(around.folder, "assets", version), assets, metadata),
    }),
  };
}

/** Writes the uploaded files to their own folder. */
function assetOptions(
  directory: string,
  assets: NonNullable<Script["assets"]>,
  { assets: uploaded }: Script["metadata"],
) {
  mkdirSync(directory, { recursive: true });
  for (const [path, { content }] of assets) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const { html_handling, not_found_handling, run_worker_first, _headers } = uploaded?.config ?? {};
  if (typeof _headers === "string") writeFileSync(join(directory, "_headers"), _headers);
  return {
    directory,
    binding: "ASSETS",
    assetConfig: { html_handling, not_found_handling },
    routerConfig: {
      has_user_worker: false,
      invoke_user_worker_ahead_of_assets: run_worker_first === true,
    },
  };
}

const ASSETS_ONLY = "export default { fetch: (request, env) => env.ASSETS.fetch(request) };";

export const hostsOf = (
  { name, isOnSubdomain, domains }: Script,
  subdomain: string | null,
): string[] => [
  ...(isOnSubdomain && subdomain !== null ? [`${name}.${subdomain}.workers.dev`] : []),
  ...domains,
];

/** The uploaded modules, wrapped by the module that enforces limits. Source maps (15 MB) would add 4 s to each start. */
function limitedModules(modules: Script["modules"], main: string) {
  const contents = limitedModule().replace('from "uploaded"', `from "./${main}"`);
  const code = modules.filter(({ type }) => !type.includes("source-map"));
  return [{ type: "ESModule", path: "limited.js", contents }, ...code.map(moduleOptions)];
}

let bundled: string | null = null;
function limitedModule(): string {
  bundled ??= buildSync({
    entryPoints: [join(import.meta.dirname, "worker", "limited.ts")],
    bundle: true,
    write: false,
    format: "esm",
    external: ["uploaded", "node:async_hooks"],
  }).outputFiles[0]!.text;
  return bundled;
}

const moduleOptions = ({ name, type, content }: Script["modules"][number]) => ({
  type: type.startsWith("application/javascript+module") ? "ESModule" : "Text",
  path: name,
  contents: new TextDecoder().decode(content),
});
