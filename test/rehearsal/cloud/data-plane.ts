import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { R2Bucket } from "@cloudflare/workers-types";
import { Cron } from "croner";
import type { Account } from "./account.ts";
import type { DataPlane } from "./control/options.ts";
import { EdgeCache } from "./edge-cache.ts";
import { IsolateWatch } from "./isolate-watch.ts";
import {
  type Distances,
  type Faults,
  type Limits,
  limitsOf,
  type SentMessage,
  type Usage,
} from "./limits.ts";
import { type Miniflare, miniflare } from "./miniflare.ts";
import { QueueBroker } from "./queue-broker.ts";
import { hostsOf, KEEPER, runtimeOptions } from "./runtime-options.ts";

/** Converts a reply from outside for workerd. `ended`: called when it has been sent completely. */
export function replyOf({ body, status, headers }: Response, ended?: () => void): Response {
  const sent = ended ? body?.pipeThrough(new TransformStream({ flush: ended })) : body;
  return new (miniflare().Response)(sent ?? null, {
    status,
    headers: [...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)),
  });
}

/** Simulated conditions of the platform. */
export interface Conditions {
  /** Round-trip times, ms. */
  distances: Distances;
  /** Additional consumers after each batch. */
  growth: number;
  /** Share of queue messages that are delivered twice. */
  doubled: number;
  /** Maximum delay of a message, ms; delayed messages arrive out of order. */
  lateMs?: number;
  /** Retention of a queue message, ms; default: the plan's. */
  retentionMs?: number;
  /** Cron triggers: interval (default: as configured), maximum delay, and shares that fire twice or never. */
  crons?: { everyMs?: number; lateMs?: number; doubled?: number; skipped?: number };
  /** Limits that replace the platform's, such as a small database. */
  limits?: Partial<Limits>;
}

/** A database elsewhere on the continent, and consumers that are added one by one. */
export const far: Conditions = {
  distances: { d1: 60, r2: [30, 80], queues: 20, d1WriteMs: 2 },
  growth: 1,
  doubled: 0.01,
};

/** Short distances and quickly added consumers. */
export const nearby: Conditions = {
  distances: { d1: 0, r2: 0, queues: 0 },
  growth: 5,
  doubled: 0,
};

/** Keeps references to `needed` until the call ends: the runtime disposes unreferenced objects even during a call. */
async function holding<T>(needed: unknown[], call: () => Promise<T>): Promise<T> {
  try {
    // Retries after an idle connection that the runtime has closed, which a busy machine notices only on use.
    return await call().catch((error: unknown) =>
      isClosed(error) ? call() : Promise.reject(error),
    );
  } finally {
    needed.length = 0;
  }
}

const isClosed = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { code?: unknown })?.code === "UND_ERR_SOCKET";

/** Runs the uploads of an account in workerd, with only the uploaded files. */
export class UploadedWorkers implements DataPlane {
  readonly #account: Account;
  readonly #folder = mkdtempSync(join(tmpdir(), "assay-cloud-"));
  #miniflare: Miniflare | null = null;
  /** Whether the running Workers match the account. */
  #isCurrent = false;
  #starting: Promise<void> = Promise.resolve();
  readonly conditions: Conditions;
  readonly queues: QueueBroker;
  /** Output of workerd and the Workers. */
  readonly log: string[] = [];
  /** The usage of each invocation. */
  readonly usage: Usage[] = [];
  readonly watch: IsolateWatch;
  /** Why isolates were ended. */
  readonly deaths: string[] = [];
  #crons: NodeJS.Timeout[] = [];
  /** Answers the Workers' requests to hosts outside the account. */
  outside: (request: Request) => Promise<Response> = async ({ url }) =>
    new (miniflare().Response)(`no host at ${url}`, { status: 502 });

  /** Resolves with the reason when the current isolates are ended. */
  #death = Promise.withResolvers<string>();
  #faults: Faults = { d1AwayUntil: 0, r2RefusesUntil: 0, aheadMs: 0 };
  readonly #cache = new EdgeCache(() => this.now);

  /** `data`: a folder of databases and buckets, as `dispose` left one; it is copied. */
  constructor(account: Account, conditions: Conditions, data?: string) {
    this.#account = account;
    this.conditions = conditions;
    if (data !== undefined) cpSync(data, join(this.#folder, "data"), { recursive: true });
    this.queues = new QueueBroker({
      growth: conditions.growth,
      doubled: conditions.doubled,
      lateMs: conditions.lateMs ?? 0,
      // developers.cloudflare.com, queues/platform/limits.
      retentionMs: conditions.retentionMs ?? (account.plan === "free" ? 1 : 4) * 86_400_000,
      consumerOf: (queue) => account.queues.get(queue)?.consumer ?? null,
      deliver: (script, queue, messages) =>
        this.#alive(async (running) => {
          const worker = await running.getWorker(script);
          this.watch.begin(messages[0]?.id ?? "", this.#limitsOf(script).cpuMs);
          return worker.queue(queue, messages);
        }),
    });
    this.watch = new IsolateWatch({
      heapMb: this.#limitsOf(undefined).heapMb,
      exceeded: (why, call) => this.#exceeded(why, call),
    });
  }

  changed(): void {
    this.#isCurrent = false;
  }

  async query(databaseId: string, sql: string, params: unknown[]): Promise<unknown[]> {
    const database = await (await this.#running()).getD1Database(databaseId, KEEPER);
    const statements = statementsIn(sql).map((one) => database.prepare(one));
    if (params.length === 0) {
      return holding([database, ...statements], () => database.batch(statements));
    }
    const bound = statements[0]!.bind(...params);
    return [await holding([database, bound], () => bound.all())];
  }

  async getObject(bucket: string, key: string): Promise<Uint8Array | null> {
    return this.#inBucket(bucket, async (objects) => {
      const found = await objects.get(key);
      return found && new Uint8Array(await found.arrayBuffer());
    });
  }

  async putObject(bucket: string, key: string, content: Uint8Array): Promise<void> {
    await this.#inBucket(bucket, (objects) => objects.put(key, content));
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    await this.#inBucket(bucket, (objects) => objects.delete(key));
  }

  async listObjects(bucket: string, options: Parameters<DataPlane["listObjects"]>[1]) {
    const listed = await this.#inBucket(bucket, (objects) => objects.list(options));
    return {
      keys: listed.objects.map(({ key }) => key),
      folders: listed.delimitedPrefixes,
      cursor: listed.truncated ? listed.cursor : null,
    };
  }

  async #inBucket<T>(bucket: string, act: (objects: R2Bucket) => Promise<T>): Promise<T> {
    const objects = await (await this.#running()).getR2Bucket(bucket, KEEPER);
    return holding([objects], () => act(objects));
  }

  /**
   * A request from outside to the Worker with the URL's host; null: there is none. `location`: the location that
   * answers, with its own rate limits and cache.
   */
  async fetch(url: string, init: RequestInit, location = "FRA"): Promise<Response | null> {
    const { host, pathname, search } = new URL(url);
    const script = [...this.#account.scripts.values()].find((one) =>
      hostsOf(one, this.#account.subdomain).includes(host),
    );
    if (script === undefined) return null;
    const ask = (sent: RequestInit) => this.#ask(script.name, url, sent, location);
    const { cache_options: cache } = script.metadata;
    if (!cache?.enabled) return ask(init);
    const version = cache.cross_version_cache ? script.name : script.version;
    return this.#cache.fetch({ key: `${version} ${pathname}${search}`, location, init }, ask);
  }

  #ask(script: string, url: string, init: RequestInit, location: string): Promise<Response> {
    const call = randomUUID();
    const headers = new Headers(init.headers);
    headers.set("x-rehearsal-call", call);
    headers.set("x-rehearsal-location", location);
    const death = this.#death;
    const isAlive = () => death === this.#death;
    return this.#alive((running) => {
      this.watch.begin(call, this.#limitsOf(script).cpuMs);
      const send = () => running.dispatchFetch(url, { ...init, headers });
      return send().catch((error: Error) =>
        isAlive() && isStale(error) ? send() : Promise.reject(error),
      );
    });
  }

  /** Fires a Worker's cron trigger. */
  async cron(script: string, cron: string, scheduledTime = new Date(this.now)): Promise<void> {
    await this.#alive(async (running) => {
      const worker = await running.getWorker(script);
      this.watch.begin(`cron ${scheduledTime.getTime()}`, this.#limitsOf(script).cpuMs);
      await worker.scheduled({ cron, scheduledTime });
    });
  }

  /** Calls the Workers. The call fails if the isolates end, even before the call has reached them. */
  #alive<T>(ask: (running: Miniflare) => Promise<T>): Promise<T> {
    const death = this.#death.promise.then((why): never => {
      throw new Error(why);
    });
    return Promise.race([this.#running().then(ask), death]);
  }

  #exceeded(why: string, call: string | null): void {
    this.deaths.push(call === null ? why : `${why} (${call})`);
    // The scene may have ended by then.
    this.kill(why).catch(() => {});
  }

  #limitsOf(script: string | undefined): Limits {
    const cpuMs = this.#account.scripts.get(script ?? "")?.metadata.limits?.cpu_ms;
    return { ...limitsOf(this.#account.plan, cpuMs), ...this.conditions.limits };
  }

  /** Schedules the cron triggers of all uploaded Workers. */
  #schedule(): void {
    for (const timer of this.#crons.splice(0)) clearTimeout(timer);
    for (const { name, crons } of this.#account.scripts.values()) {
      for (const cron of crons)
        this.#awaitCron(name, cron, this.#crons.push(undefined as never) - 1);
    }
  }

  #awaitCron(script: string, cron: string, at: number): void {
    const { everyMs, lateMs = 0, doubled = 0, skipped = 0 } = this.conditions.crons ?? {};
    const now = Date.now();
    const due =
      everyMs === undefined ? (new Cron(cron).nextRun()?.getTime() ?? now) : now + everyMs;
    this.#crons[at] = setTimeout(
      () => {
        this.#awaitCron(script, cron, at);
        const times = Math.random() < skipped ? 0 : Math.random() < doubled ? 2 : 1;
        for (let time = 0; time < times; time++) {
          this.cron(script, cron, new Date(due + time)).catch(() => {});
        }
      },
      due - now + Math.random() * lateMs,
    );
  }

  /** Makes D1 calls or R2 writes fail for `ms`. */
  async fail(what: "d1" | "r2", ms: number): Promise<void> {
    const until = Date.now() + ms;
    this.#faults = {
      ...this.#faults,
      [what === "d1" ? "d1AwayUntil" : "r2RefusesUntil"]: until,
    };
    await this.#tellFaults(await this.#running());
  }

  /** Advances the Workers' clock by `ms`. */
  async pass(ms: number): Promise<void> {
    this.#faults = { ...this.#faults, aheadMs: this.#faults.aheadMs + ms };
    await this.#tellFaults(await this.#running());
  }

  /** The time of the Workers' clock, ms since 1970. */
  get now(): number {
    return Date.now() + this.#faults.aheadMs;
  }

  /**
   * Ends the isolates at once: requests and batches fail, memory is lost, messages are redelivered. Resolves when new
   * isolates run.
   */
  async kill(why = "the isolate was ended"): Promise<void> {
    const before = this.#death;
    this.#death = Promise.withResolvers();
    before.resolve(why);
    this.#isCurrent = false;
    await this.#running();
  }

  /** Prepares newly started isolates. */
  async #attend(running: Miniflare): Promise<void> {
    const { host } = await running.getInspectorURL();
    const workers = [...this.#account.scripts.values()].filter(({ modules }) => modules.length > 0);
    this.watch.attach(workers.map(({ name }) => `ws://${host}/core:user:${name}`));
    this.#schedule();
    await this.#tellFaults(running);
  }

  async #tellFaults(running: Miniflare): Promise<void> {
    const { d1AwayUntil, r2RefusesUntil, aheadMs } = this.#faults;
    if (aheadMs === 0 && Math.max(d1AwayUntil, r2RefusesUntil) < Date.now()) return;
    const init = { method: "POST", body: JSON.stringify(this.#faults) };
    for (const { name, modules } of this.#account.scripts.values()) {
      if (modules.length === 0) continue;
      await (await running.getWorker(name)).fetch("http://rehearsal/faults", init);
    }
  }

  /** Ends the runtime. With `data`, copies databases and buckets there first. */
  async dispose(data?: string): Promise<void> {
    this.queues.stop();
    this.watch.stop();
    for (const timer of this.#crons) clearTimeout(timer);
    await this.#miniflare?.dispose();
    if (data !== undefined) cpSync(join(this.#folder, "data"), data, { recursive: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The runtime with the current uploads, restarted if they have changed. */
  async #running(): Promise<Miniflare> {
    if (this.#miniflare !== null && this.#isCurrent)
      return this.#starting.then(() => this.#miniflare!);
    this.#isCurrent = true;
    const options = miniflare().convertV4MiniflareOptions(
      runtimeOptions({
        account: this.#account,
        folder: this.#folder,
        distances: this.conditions.distances,
        limitsOf: (script) => this.#limitsOf(script),
        print: (line) => this.log.push(line),
        hear: (request) => this.#hear(request),
        outside: (request) => this.outside(request),
      }),
    );
    this.#starting = this.#starting.then(async () => {
      if (this.#miniflare === null) {
        this.#miniflare = new (miniflare().Miniflare)(options);
        await this.#miniflare.ready;
      } else await this.#miniflare.setOptions(options);
      await this.#attend(this.#miniflare);
    });
    await this.#starting;
    return this.#miniflare!;
  }

  /** Handles a report of an invocation, or messages for a queue. */
  async #hear(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const body: unknown = await request.json();
    if (pathname === "/free-bytes") {
      return new (miniflare().Response)(`${freeBytes(this.#folder, Number(body))}`);
    }
    if (pathname === "/usage") this.usage.push(this.watch.end(body as Usage));
    else this.queues.send(pathname.replace("/queue/", ""), body as SentMessage[]);
    return new (miniflare().Response)("");
  }
}

/** Bytes of free pages in the database with this size. */
function freeBytes(folder: string, size: number): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((one) => one.endsWith(".sqlite"))) {
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    const number = (pragma: string) =>
      Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    const [pages, free, page] = ["page_count", "freelist_count", "page_size"].map(number);
    database.close();
    if (pages! * page! === size) return free! * page!;
  }
  return 0;
}

/** The statements of a migration. Semicolons in strings and comments do not end a statement. */
function statementsIn(sql: string): string[] {
  const parts = sql.match(/(?:'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|[^;])+/g) ?? [];
  return parts.map((one) => one.trim()).filter((one) => one.replace(/--[^\n]*/g, "").trim() !== "");
}

/** Whether the runtime closed a connection after 5 s idle, just as it was used, so the request was not sent. */
const isStale = ({ cause }: Error): boolean =>
  cause instanceof Error && /other side closed|ECONNRESET/.test(cause.message);
