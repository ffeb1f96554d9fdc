import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import { buildSync } from "esbuild";
import { root } from "../../../cli/local/root.ts";
import type { Account, Script, ScriptBinding } from "./account.ts";
import type { DataPlane } from "./control-plane.ts";
import { type Distances, limitsOf, type SentMessage, type Usage } from "./limits.ts";
import { type Deliver, QueueBroker } from "./queue-broker.ts";

interface Miniflare {
  ready: Promise<URL>;
  setOptions(options: unknown): Promise<void>;
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  getWorker(name: string): Promise<{
    scheduled(options: { cron: string }): Promise<unknown>;
    queue: (queue: string, messages: unknown[]) => ReturnType<Deliver>;
  }>;
  getD1Database(binding: string, worker: string): Promise<D1Database>;
  getR2Bucket(binding: string, worker: string): Promise<R2Bucket>;
  dispose(): Promise<void>;
}

interface MiniflareModule {
  Miniflare: new (options: unknown) => Miniflare;
  convertV4MiniflareOptions(options: unknown): unknown;
  Log: new (level: number) => object;
  Response: typeof Response;
}

/** Holds every database and bucket, so that the API can ask them; runs no code of a deployment. */
const KEEPER = "keeper";
const WARN = 2;

/** A reply of the world, as workerd takes it. */
export const replyOf = async (response: Response): Promise<Response> =>
  new (miniflare().Response)(await response.arrayBuffer(), {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== "content-encoding"),
  });

/** What the platform is like. */
export interface Conditions {
  /** ms to each and back. */
  distances: Distances;
  /** Consumers more after each batch that ended. */
  growth: number;
  /** Share of queue messages that come twice. */
  doubled: number;
}

/** Everything is near, and grows quickly. */
export const nearby: Conditions = {
  distances: { d1: 0, r2: 0, queues: 0 },
  growth: 5,
  doubled: 0,
};

/** What was uploaded to an account, run by workerd: nothing of the machine but the files of the upload. */
export class UploadedWorkers implements DataPlane {
  readonly #account: Account;
  readonly #folder = mkdtempSync(join(tmpdir(), "assay-cloud-"));
  #miniflare: Miniflare | null = null;
  /** Whether what runs is what the account has. */
  #isCurrent = false;
  #starting: Promise<void> = Promise.resolve();
  readonly #conditions: Conditions;
  readonly queues: QueueBroker;
  /** What workerd and the Workers printed. */
  readonly log: string[] = [];
  /** What each invocation did. */
  readonly usage: Usage[] = [];
  /** The world beyond the account, as the Workers reach it. */
  outside: (request: Request) => Promise<Response> = async ({ url }) =>
    new (miniflare().Response)(`nobody is at ${url}`, { status: 502 });

  constructor(account: Account, conditions: Conditions) {
    this.#account = account;
    this.#conditions = conditions;
    this.queues = new QueueBroker({
      growth: conditions.growth,
      doubled: conditions.doubled,
      consumerOf: (queue) => account.queues.get(queue)?.consumer ?? null,
      deliver: async (script, queue, messages) =>
        (await (await this.#running()).getWorker(script)).queue(queue, messages),
    });
  }

  changed(): void {
    this.#isCurrent = false;
  }

  async query(databaseId: string, sql: string, params: unknown[]): Promise<unknown[]> {
    const database = await (await this.#running()).getD1Database(databaseId, KEEPER);
    const statements = statementsIn(sql).map((one) => database.prepare(one));
    if (params.length > 0) return [await statements[0]!.bind(...params).all()];
    return database.batch(statements);
  }

  async getObject(bucket: string, key: string): Promise<Uint8Array | null> {
    const found = await (await (await this.#running()).getR2Bucket(bucket, KEEPER)).get(key);
    return found === null ? null : new Uint8Array(await found.arrayBuffer());
  }

  async putObject(bucket: string, key: string, content: Uint8Array): Promise<void> {
    await (await (await this.#running()).getR2Bucket(bucket, KEEPER)).put(key, content);
  }

  /** A request from outside, to whichever Worker has the host; null: none has. */
  async fetch(url: string, init: RequestInit): Promise<Response | null> {
    const { host } = new URL(url);
    const isServed = [...this.#account.scripts.values()].some((one) =>
      hostsOf(one, this.#account.subdomain).includes(host),
    );
    return isServed ? (await this.#running()).dispatchFetch(url, init) : null;
  }

  /** Fires a Worker's cron trigger. */
  async cron(script: string, cron: string): Promise<void> {
    await (await (await this.#running()).getWorker(script)).scheduled({ cron });
  }

  async dispose(): Promise<void> {
    this.queues.stop();
    await this.#miniflare?.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What is uploaded, running; after a change it is started anew with the first request. */
  async #running(): Promise<Miniflare> {
    if (this.#miniflare !== null && this.#isCurrent)
      return this.#starting.then(() => this.#miniflare!);
    this.#isCurrent = true;
    const options = miniflare().convertV4MiniflareOptions(this.#options());
    this.#starting = this.#starting.then(async () => {
      if (this.#miniflare !== null) return this.#miniflare.setOptions(options);
      this.#miniflare = new (miniflare().Miniflare)(options);
      await this.#miniflare.ready;
    });
    await this.#starting;
    return this.#miniflare!;
  }

  #options() {
    const { databases, buckets, scripts } = this.#account;
    const own = {
      name: KEEPER,
      modules: [{ type: "ESModule", path: "keeper.mjs", contents: "export default {};" }],
      d1Databases: Object.fromEntries([...databases.keys()].map((id) => [id, id])),
      r2Buckets: Object.fromEntries([...buckets].map((name) => [name, name])),
    };
    return {
      host: "127.0.0.1",
      port: 0,
      cf: false,
      logRequests: false,
      log: Object.assign(new (miniflare().Log)(WARN), {
        log: (line: string) => this.log.push(line),
      }),
      handleStructuredLogs: ({ message }: { message: string }) => this.log.push(message),
      resourcePersistencePath: join(this.#folder, "data"),
      workers: [
        own,
        ...[...scripts.values()].map((script) => ({
          ...this.#workerOptions(script),
          routes: hostsOf(script, this.#account.subdomain).map((host) => `${host}/*`),
        })),
      ],
    };
  }

  #workerOptions({ name, metadata, modules, assets, secrets, version }: Script) {
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
      // The module around it has to know which invocation a request is of.
      compatibilityFlags: [...(metadata.compatibility_flags ?? []), "nodejs_als"],
      bindings: {
        REHEARSAL_NAME: name,
        REHEARSAL_LIMITS: limitsOf(this.#account.plan),
        REHEARSAL_DISTANCES: this.#conditions.distances,
        REHEARSAL_QUEUES: named("queue", (one) => one["queue_name"]),
        ...named("plain_text", ({ text }) => text),
        ...named("json", ({ json }) => json),
        ...Object.fromEntries(secrets),
      },
      d1Databases: named("d1", ({ id }) => id),
      r2Buckets: named("r2_bucket", (one) => one["bucket_name"]),
      serviceBindings: {
        ...named("service", ({ service }) => service),
        REHEARSAL: (request: Request) => this.#hear(request),
      },
      outboundService: (request: Request) => this.outside(request),
      ratelimits: named("ratelimit", (one) => ({
        namespace_id: one["namespace_id"],
        simple: one["simple"],
      })),
      ...(assets && { assets: this.#assetOptions(version, assets, metadata) }),
    };
  }

  /** A report of an invocation, or messages on their way to a queue. */
  async #hear(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const given: unknown = await request.json();
    if (pathname === "/usage") this.usage.push(given as Usage);
    else this.queues.send(pathname.replace("/queue/", ""), given as SentMessage[]);
    return new (miniflare().Response)("");
  }

  /** The files of an upload in a folder of their own, as they were sent. */
  #assetOptions(
    version: string,
    assets: NonNullable<Script["assets"]>,
    { assets: uploaded }: Script["metadata"],
  ) {
    const directory = join(this.#folder, "assets", version);
    mkdirSync(directory, { recursive: true });
    for (const [path, { content }] of assets) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const { html_handling, not_found_handling, run_worker_first } = uploaded?.config ?? {};
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
}

const ASSETS_ONLY = "export default { fetch: (request, env) => env.ASSETS.fetch(request) };";

const hostsOf = ({ name, isOnSubdomain, domains }: Script, subdomain: string | null): string[] => [
  ...(isOnSubdomain && subdomain !== null ? [`${name}.${subdomain}.workers.dev`] : []),
  ...domains,
];

/** The uploaded modules behind the one that keeps limits. */
function limitedModules(modules: Script["modules"], main: string) {
  const contents = limitedModule().replace('from "uploaded"', `from "./${main}"`);
  return [{ type: "ESModule", path: "limited.js", contents }, ...modules.map(moduleOptions)];
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

/** The statements of a migration; a semicolon inside a text or a comment ends none. */
function statementsIn(sql: string): string[] {
  const parts = sql.match(/(?:'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|[^;])+/g) ?? [];
  return parts.map((one) => one.trim()).filter((one) => one.replace(/--[^\n]*/g, "").trim() !== "");
}

let loaded: MiniflareModule | null = null;
/** The copy that wrangler was released with. */
function miniflare(): MiniflareModule {
  loaded ??= createRequire(join(root, "node_modules", "wrangler", "package.json"))(
    "miniflare",
  ) as MiniflareModule;
  return loaded;
}
