import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { D1Database, R2Bucket } from "@cloudflare/workers-types";
import { root } from "../../../cli/local/root.ts";
import type { Account, QueueConsumer, Script, ScriptBinding } from "./account.ts";
import type { DataPlane } from "./control-plane.ts";

interface Miniflare {
  ready: Promise<URL>;
  setOptions(options: unknown): Promise<void>;
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  getWorker(name: string): Promise<{ scheduled(options: { cron: string }): Promise<unknown> }>;
  getD1Database(binding: string, worker: string): Promise<D1Database>;
  getR2Bucket(binding: string, worker: string): Promise<R2Bucket>;
  dispose(): Promise<void>;
}

interface MiniflareModule {
  Miniflare: new (options: unknown) => Miniflare;
  convertV4MiniflareOptions(options: unknown): unknown;
  Log: new (level: number) => object;
}

/** Holds every database and bucket, so that the API can ask them; runs no code of a deployment. */
const KEEPER = "keeper";
const WARN = 2;

/** What was uploaded to an account, run by workerd: nothing of the machine but the files of the upload. */
export class UploadedWorkers implements DataPlane {
  readonly #account: Account;
  readonly #folder = mkdtempSync(join(tmpdir(), "assay-cloud-"));
  #miniflare: Miniflare | null = null;
  /** Whether what runs is what the account has. */
  #isCurrent = false;
  #starting: Promise<void> = Promise.resolve();
  /** What workerd and the Workers printed. */
  readonly log: string[] = [];

  constructor(account: Account) {
    this.#account = account;
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
    const { databases, buckets, scripts, queues } = this.#account;
    const own = {
      name: KEEPER,
      modules: [{ type: "ESModule", path: "keeper.mjs", contents: "export default {};" }],
      d1Databases: Object.fromEntries([...databases.keys()].map((id) => [id, id])),
      r2Buckets: Object.fromEntries([...buckets].map((name) => [name, name])),
    };
    const consumersOf = ({ name }: Script) =>
      Object.fromEntries(
        [...queues.values()].flatMap(({ name: queue, consumer }) =>
          consumer?.script === name ? [[queue, consumerOptions(consumer)]] : [],
        ),
      );
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
          queueConsumers: consumersOf(script),
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
        : { modules: mainFirst(modules, metadata.main_module).map(moduleOptions) }),
      compatibilityDate: metadata.compatibility_date,
      compatibilityFlags: metadata.compatibility_flags,
      bindings: {
        ...named("plain_text", ({ text }) => text),
        ...named("json", ({ json }) => json),
        ...Object.fromEntries(secrets),
      },
      d1Databases: named("d1", ({ id }) => id),
      r2Buckets: named("r2_bucket", (one) => one["bucket_name"]),
      queueProducers: named("queue", (one) => ({ queueName: one["queue_name"] })),
      serviceBindings: named("service", ({ service }) => service),
      ratelimits: named("ratelimit", (one) => ({
        namespace_id: one["namespace_id"],
        simple: one["simple"],
      })),
      ...(assets && { assets: this.#assetOptions(version, assets, metadata) }),
    };
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

function consumerOptions({ settings, deadLetterQueue }: QueueConsumer) {
  return {
    maxBatchSize: settings["batch_size"],
    maxBatchTimeout: Number(settings["max_wait_time_ms"] ?? 5_000) / 1000,
    maxRetries: settings["max_retries"],
    ...(deadLetterQueue !== null && { deadLetterQueue }),
  };
}

const mainFirst = (modules: Script["modules"], main: string | undefined) =>
  modules.toSorted((a, b) => Number(b.name === main) - Number(a.name === main));

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
