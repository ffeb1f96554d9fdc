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

/** A reply of the world, as workerd takes it. `ended`: called when all of it has been sent. */
export function replyOf({ body, status, headers }: Response, ended?: () => void): Response {
  const sent = ended ? body?.pipeThrough(new TransformStream({ flush: ended })) : body;
  return new (miniflare().Response)(sent ?? null, {
    status,
    headers: [...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)),
  });
}

/** What the platform is like. */
export interface Conditions {
  /** ms to each and back. */
  distances: Distances;
  /** Consumers more after each batch that ended. */
  growth: number;
  /** Share of queue messages that come twice. */
  doubled: number;
  /** Longest that a message comes late, ms; those that are late come out of order. */
  lateMs?: number;
  /** Longest that a message waits in a queue before it is deleted, ms; otherwise as the plan has it. */
  retentionMs?: number;
  /** Cron triggers: ms between two (otherwise as they are set), latest, and shares that come twice or never. */
  crons?: { everyMs?: number; lateMs?: number; doubled?: number; skipped?: number };
  /** Limits that are other than the platform's, such as a small database. */
  limits?: Partial<Limits>;
}

/** A database in another part of the continent, and consumers that are added one by one. */
export const far: Conditions = {
  distances: { d1: 60, r2: [30, 80], queues: 20, d1WriteMs: 2 },
  growth: 1,
  doubled: 0.01,
};

/** Everything is near, and grows quickly. */
export const nearby: Conditions = {
  distances: { d1: 0, r2: 0, queues: 0 },
  growth: 5,
  doubled: 0,
};

/** Refers to what a call needs until it has ended: the runtime gives up what nothing refers to, even during a call. */
async function holding<T>(needed: unknown[], call: () => Promise<T>): Promise<T> {
  try {
    // An idle connection that the runtime has closed: a busy machine hears of it only when it is used.
    return await call().catch((error: unknown) =>
      isClosed(error) ? call() : Promise.reject(error),
    );
  } finally {
    needed.length = 0;
  }
}

const isClosed = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { code?: unknown })?.code === "UND_ERR_SOCKET";

/** What was uploaded to an account, run by workerd: nothing of the machine but the files of the upload. */
export class UploadedWorkers implements DataPlane {
  readonly #account: Account;
  readonly #folder = mkdtempSync(join(tmpdir(), "assay-cloud-"));
  #miniflare: Miniflare | null = null;
  /** Whether what runs is what the account has. */
  #isCurrent = false;
  #starting: Promise<void> = Promise.resolve();
  readonly conditions: Conditions;
  readonly queues: QueueBroker;
  /** What workerd and the Workers printed. */
  readonly log: string[] = [];
  /** What each invocation did. */
  readonly usage: Usage[] = [];
  readonly watch: IsolateWatch;
  /** Why isolates were ended. */
  readonly deaths: string[] = [];
  #crons: NodeJS.Timeout[] = [];
  /** The world beyond the account, as the Workers reach it. */
  outside: (request: Request) => Promise<Response> = async ({ url }) =>
    new (miniflare().Response)(`nobody is at ${url}`, { status: 502 });

  /** Resolves with the reason when the isolates that run now are ended. */
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
   * A request from outside, to whichever Worker has the host; null: none has. `location`: where it is answered, which
   * rate limits count by, and which has a cache of its own.
   */
  async fetch(url: string, init: RequestInit, location = "FRA"): Promise<Response | null> {
    const { host, pathname, search } = new URL(url);
    const script = [...this.#account.scripts.values()].find((one) =>
      hostsOf(one, this.#account.subdomain).includes(host),
    );
    if (script === undefined) return null;
    const ask = (its: RequestInit) => this.#ask(script.name, url, its, location);
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

  /** What is asked of an isolate fails with it, also where it ends before the call has reached it. */
  #alive<T>(ask: (running: Miniflare) => Promise<T>): Promise<T> {
    const death = this.#death.promise.then((why): never => {
      throw new Error(why);
    });
    return Promise.race([this.#running().then(ask), death]);
  }

  #exceeded(why: string, call: string | null): void {
    this.deaths.push(call === null ? why : `${why} (${call})`);
    // The scene may be over by then.
    this.kill(why).catch(() => {});
  }

  #limitsOf(script: string | undefined): Limits {
    const cpuMs = this.#account.scripts.get(script ?? "")?.metadata.limits?.cpu_ms;
    return { ...limitsOf(this.#account.plan, cpuMs), ...this.conditions.limits };
  }

  /** Cron triggers of everything that is uploaded, from now on. */
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

  /** Lets D1 fail, or R2 refuse to write, for so long, ms. */
  async fail(what: "d1" | "r2", ms: number): Promise<void> {
    const until = Date.now() + ms;
    this.#faults = {
      ...this.#faults,
      [what === "d1" ? "d1AwayUntil" : "r2RefusesUntil"]: until,
    };
    await this.#tellFaults(await this.#running());
  }

  /** Lets so much time pass at once: the Workers' clock is ahead by it from now on. */
  async pass(ms: number): Promise<void> {
    this.#faults = { ...this.#faults, aheadMs: this.#faults.aheadMs + ms };
    await this.#tellFaults(await this.#running());
  }

  /** The time of the Workers' clock, ms since 1970. */
  get now(): number {
    return Date.now() + this.#faults.aheadMs;
  }

  /**
   * The isolates end at once, and all that runs in them: requests and batches fail, what a Worker kept in memory is
   * gone, messages come again. Resolves once others have taken their place.
   */
  async kill(why = "the isolate was ended"): Promise<void> {
    const before = this.#death;
    this.#death = Promise.withResolvers();
    before.resolve(why);
    this.#isCurrent = false;
    await this.#running();
  }

  /** What has to be done for isolates that were just started. */
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

  /** Ends; with `data`, databases and buckets are copied there first. */
  async dispose(data?: string): Promise<void> {
    this.queues.stop();
    this.watch.stop();
    for (const timer of this.#crons) clearTimeout(timer);
    await this.#miniflare?.dispose();
    if (data !== undefined) cpSync(join(this.#folder, "data"), data, { recursive: true });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What is uploaded, running; after a change it restarts with the first request. */
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

  /** A report of an invocation, or messages on their way to a queue. */
  async #hear(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const given: unknown = await request.json();
    if (pathname === "/free-bytes") {
      return new (miniflare().Response)(`${freeBytes(this.#folder, Number(given))}`);
    }
    if (pathname === "/usage") this.usage.push(this.watch.end(given as Usage));
    else this.queues.send(pathname.replace("/queue/", ""), given as SentMessage[]);
    return new (miniflare().Response)("");
  }
}

/** Bytes of free pages in the database that is so large. */
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

/** The statements of a migration; a semicolon inside a text or a comment ends none. */
function statementsIn(sql: string): string[] {
  const parts = sql.match(/(?:'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|[^;])+/g) ?? [];
  return parts.map((one) => one.trim()).filter((one) => one.replace(/--[^\n]*/g, "").trim() !== "");
}

/** The runtime closed a connection that had waited for 5 s, at the moment of its use: nothing was asked yet. */
const isStale = ({ cause }: Error): boolean =>
  cause instanceof Error && /other side closed|ECONNRESET/.test(cause.message);
