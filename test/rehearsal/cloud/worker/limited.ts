/**
 * The module that runs in place of an uploaded Worker's own: it hands the Worker bindings that keep the platform's
 * limits and distances, counts what each invocation does, and reports it.
 */
import { AsyncLocalStorage } from "node:async_hooks";
// Beside it in the uploaded Worker's modules.
// @ts-expect-error it is there only where this runs
import uploaded from "uploaded";
import type { Distances, Limits, SentMessage, Usage } from "../limits.ts";

interface Around {
  /** Takes reports and messages; not the Worker's. */
  REHEARSAL: { fetch(url: string, init?: RequestInit): Promise<Response> };
  REHEARSAL_LIMITS: Limits;
  REHEARSAL_DISTANCES: Distances;
  REHEARSAL_QUEUES: Record<string, string>;
  REHEARSAL_NAME: string;
}
type Env = Around & Record<string, unknown>;
type Call = (...args: never[]) => unknown;

const now = () => performance.timeOrigin + performance.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

class Invocation {
  readonly usage: Usage;
  readonly limits: Limits;
  readonly #waiting: (() => void)[] = [];
  #open = 0;

  constructor(env: Env, kind: Usage["kind"], of: string) {
    this.limits = env.REHEARSAL_LIMITS;
    this.usage = {
      worker: env.REHEARSAL_NAME,
      kind,
      of,
      ms: 0,
      external: 0,
      internal: 0,
      d1Queries: 0,
      d1Calls: 0,
      r2Reads: 0,
      r2Writes: 0,
      connections: 0,
      waited: 0,
      waitedMs: 0,
      largestMessageBytes: 0,
      largestValueBytes: 0,
      refused: [],
    };
  }

  /** Counts one more; throws what the platform throws past the limit. */
  spend(what: "external" | "internal" | "d1Queries", by: number): void {
    const most = {
      external: this.limits.subrequests,
      internal: this.limits.internal,
      d1Queries: this.limits.d1Queries,
    };
    this.usage[what] += by;
    if (this.usage[what] > most[what])
      this.refuse(`Too many ${what} by a single Worker invocation: ${most[what]}`);
  }

  refuse(why: string): never {
    this.usage.refused.push(why);
    throw new Error(why);
  }

  /** Waits for a connection, and holds it until the headers have come. */
  async connected<T>(send: () => Promise<T>): Promise<T> {
    this.usage.connections = Math.max(
      this.usage.connections,
      this.#open + this.#waiting.length + 1,
    );
    if (this.#open >= this.limits.connections) {
      const begun = now();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.usage.waited += 1;
      this.usage.waitedMs += now() - begun;
    }
    this.#open += 1;
    try {
      return await send();
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const current = new AsyncLocalStorage<Invocation>();

const send = globalThis.fetch;
globalThis.fetch = (async (input: RequestInfo, init?: RequestInit) => {
  const invocation = current.getStore();
  if (!invocation) return send(input, init);
  invocation.spend("external", 1);
  return invocation.connected(() => send(input, init));
}) as typeof fetch;

/** D1 as it is far away: each call takes a way there and back, and is counted by its statements. */
class Database {
  readonly #database: D1Database;
  readonly #ms: number;
  constructor(database: D1Database, ms: number) {
    this.#database = database;
    this.#ms = ms;
  }
  prepare(sql: string) {
    return new Statement(this.#database.prepare(sql), sql, [], this.#ms);
  }
  async batch(statements: Statement[]) {
    const inner = statements.map((one) => one.checked());
    await spendQueries(statements.length, this.#ms);
    return this.#database.batch(inner);
  }
  async exec(sql: string) {
    await spendQueries(1, this.#ms);
    return this.#database.exec(sql);
  }
  withSession(constraint?: string) {
    const session = this.#database.withSession(constraint);
    return Object.assign(new Database(session as unknown as D1Database, this.#ms), {
      getBookmark: () => session.getBookmark(),
    });
  }
}

class Statement {
  readonly #inner: D1PreparedStatement;
  readonly #sql: string;
  readonly #values: unknown[];
  readonly #ms: number;
  constructor(inner: D1PreparedStatement, sql: string, values: unknown[], ms: number) {
    this.#inner = inner;
    this.#sql = sql;
    this.#values = values;
    this.#ms = ms;
  }
  bind(...values: unknown[]) {
    return new Statement(this.#inner.bind(...values), this.#sql, values, this.#ms);
  }
  /** The statement itself, within the limits of one. */
  checked(): D1PreparedStatement {
    const invocation = current.getStore();
    if (!invocation) return this.#inner;
    const { limits, usage } = invocation;
    if (this.#sql.length > limits.d1StatementBytes) invocation.refuse("D1: statement too long");
    if (this.#values.length > limits.d1Parameters) invocation.refuse("D1: too many SQL variables");
    for (const value of this.#values) {
      const bytes =
        typeof value === "string"
          ? value.length
          : value instanceof ArrayBuffer
            ? value.byteLength
            : 0;
      usage.largestValueBytes = Math.max(usage.largestValueBytes, bytes);
      if (bytes > limits.d1ValueBytes) invocation.refuse("D1: string or blob too big");
    }
    return this.#inner;
  }
  async #call<T>(run: (inner: D1PreparedStatement) => Promise<T>): Promise<T> {
    const inner = this.checked();
    await spendQueries(1, this.#ms);
    return run(inner);
  }
  all() {
    return this.#call((inner) => inner.all());
  }
  run() {
    return this.#call((inner) => inner.run());
  }
  first(column?: string) {
    return this.#call((inner) => (column === undefined ? inner.first() : inner.first(column)));
  }
  raw(options?: never) {
    return this.#call((inner) => inner.raw(options as never));
  }
}

async function spendQueries(count: number, ms: number): Promise<void> {
  const invocation = current.getStore();
  if (invocation) {
    invocation.usage.d1Calls += 1;
    invocation.spend("d1Queries", count);
  }
  await sleep(ms);
}

/** When each key was written last: more than once a second is refused. */
const written = new Map<string, number>();

const reads = new Set(["get", "head", "list"]);
const writes = new Set(["put", "delete"]);

function bucketOf(bucket: R2Bucket, ms: number): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const method = Reflect.get(target, name) as Call;
      if (typeof method !== "function") return method;
      return (...args: never[]) => {
        const invocation = current.getStore();
        const call = async () => {
          await sleep(ms);
          return Reflect.apply(method, target, args);
        };
        if (!invocation) return call();
        const { usage } = invocation;
        invocation.spend("internal", 1);
        if (reads.has(String(name))) usage.r2Reads += 1;
        if (writes.has(String(name))) usage.r2Writes += 1;
        if (name === "put") {
          const key = String(args[0]);
          const last = written.get(key) ?? 0;
          written.set(key, now());
          if (now() - last < 1_000) {
            invocation.refuse(
              `R2: reduce your concurrent request rate for the same object (${key})`,
            );
          }
        }
        return invocation.connected(call as () => Promise<unknown>);
      };
    },
  });
}

function queueOf({ REHEARSAL, REHEARSAL_DISTANCES }: Env, queue: string) {
  const deliver = async (messages: SentMessage[]) => {
    const invocation = current.getStore();
    const sizes = messages.map(({ body }) => JSON.stringify(body).length);
    if (invocation) {
      const { limits, usage } = invocation;
      usage.largestMessageBytes = Math.max(usage.largestMessageBytes, ...sizes);
      invocation.spend("internal", 1);
      if (messages.length > limits.batchMessages)
        invocation.refuse("Queues: too many messages in a batch");
      if (sizes.some((bytes) => bytes > limits.messageBytes))
        invocation.refuse("Queues: message too large");
      if (sizes.reduce((a, b) => a + b, 0) > limits.batchBytes)
        invocation.refuse("Queues: batch too large");
    }
    const call = async () => {
      await sleep(REHEARSAL_DISTANCES.queues);
      await REHEARSAL.fetch(`http://rehearsal/queue/${queue}`, {
        method: "POST",
        body: JSON.stringify(messages),
      });
    };
    await (invocation ? invocation.connected(call) : call());
  };
  return {
    send: (body: unknown, { delaySeconds = 0 } = {}) => deliver([{ body, delaySeconds }]),
    sendBatch: (messages: Iterable<SentMessage>, { delaySeconds = 0 } = {}) =>
      deliver(
        [...messages].map((one) => ({
          body: one.body,
          delaySeconds: one.delaySeconds ?? delaySeconds,
        })),
      ),
  };
}

/** Bindings by how they look; what is neither database, bucket nor queue stays as it is. */
const bindings = new WeakMap<object, Record<string, unknown>>();
function around(env: Env): Record<string, unknown> {
  const known = bindings.get(env);
  if (known) return known;
  const { d1, r2 } = env.REHEARSAL_DISTANCES;
  const given = Object.entries(env).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith("REHEARSAL")) return [];
    // Not by their methods: a service binding seems to have every one.
    const kind = (value as object | null)?.constructor?.name;
    if (kind === "D1Database") return [[name, new Database(value as D1Database, d1)]];
    if (kind === "R2Bucket") return [[name, bucketOf(value as R2Bucket, r2)]];
    return [[name, value]];
  });
  const queues = Object.entries(env.REHEARSAL_QUEUES).map(
    ([name, queue]) => [name, queueOf(env, queue)] as const,
  );
  const made = Object.fromEntries([...given, ...queues]);
  bindings.set(env, made);
  return made;
}

/** Runs a handler as one invocation, and reports what it did once everything it began has ended. */
async function invoke<T>(
  env: Env,
  ctx: ExecutionContext,
  kind: Usage["kind"],
  of: string,
  run: (env: Record<string, unknown>, ctx: ExecutionContext) => Promise<T>,
): Promise<T> {
  const invocation = new Invocation(env, kind, of);
  const begun = now();
  const later: Promise<unknown>[] = [];
  const own = {
    waitUntil: (work: Promise<unknown>) => {
      later.push(work);
      ctx.waitUntil(work);
    },
    passThroughOnException: () => {},
    props: {},
  } as unknown as ExecutionContext;
  try {
    return await current.run(invocation, () => run(around(env), own));
  } finally {
    const report = async () => {
      await Promise.allSettled(later);
      const usage = { ...invocation.usage, ms: now() - begun };
      await env.REHEARSAL.fetch("http://rehearsal/usage", {
        method: "POST",
        body: JSON.stringify(usage),
      });
    };
    ctx.waitUntil(report());
  }
}

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    invoke(env, ctx, "fetch", `${request.method} ${new URL(request.url).pathname}`, (own, its) =>
      uploaded.fetch(request, own, its),
    ),
  queue: (batch: MessageBatch, env: Env, ctx: ExecutionContext) =>
    invoke(env, ctx, "queue", batch.queue, (own, its) => uploaded.queue(batch, own, its)),
  scheduled: (event: ScheduledController, env: Env, ctx: ExecutionContext) =>
    invoke(env, ctx, "scheduled", event.cron, (own, its) => uploaded.scheduled(event, own, its)),
};
