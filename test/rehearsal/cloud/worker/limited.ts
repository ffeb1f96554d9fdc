/**
 * The module that wraps an uploaded Worker. It gives the Worker bindings that simulate the platform's limits and
 * distances, and reports the usage of each invocation.
 */
// @ts-expect-error the uploaded Worker's main module, which exists only at run time
import uploaded from "uploaded";
import type { Distances } from "../limits.ts";
import { Database } from "./database.ts";
import {
  type Around,
  type Beginning,
  current,
  faults,
  Invocation,
  now,
  queueOf,
  realNow,
  sleep,
  way,
} from "./invocation.ts";

type Env = Around & Record<string, unknown>;
type Call = (...args: never[]) => unknown;

/** Time of the last write of each key; a second write within a second is refused. */
const written = new Map<string, number>();

/** Billing class by method; deletions are free. */
const counters: Readonly<Record<string, "r2Reads" | "r2Writes" | "r2Lists">> = {
  get: "r2Reads",
  head: "r2Reads",
  put: "r2Writes",
  createMultipartUpload: "r2Writes",
  list: "r2Lists",
};
const writes = new Set(["put", "delete", "createMultipartUpload"]);

function bucketOf(bucket: R2Bucket, distance: Distances["r2"]): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const method = Reflect.get(target, name) as Call;
      if (typeof method !== "function") return method;
      return (...args: never[]) => {
        const invocation = current.getStore();
        const call = async () => {
          await way(distance);
          if (writes.has(String(name)) && realNow() < faults.r2RefusesUntil) {
            throw new Error(
              `${String(name)}: We encountered an internal error. Please try again. (10001)`,
            );
          }
          return Reflect.apply(method, target, args);
        };
        if (!invocation) return call();
        const { usage } = invocation;
        invocation.spend("internal", 1);
        const counter = counters[String(name)];
        if (counter !== undefined) usage[counter] += 1;
        if (name === "put") {
          limitWrites(invocation, String(args[0]));
          usage.r2Bytes += bytesOf(args[1]);
        }
        return invocation.connected(call as () => Promise<unknown>);
      };
    },
  });
}

/** Size of a string or bytes; a stream counts as 0. */
const bytesOf = (value: unknown): number =>
  typeof value === "string"
    ? new TextEncoder().encode(value).length
    : ((value as Partial<ArrayBuffer> | null)?.byteLength ?? 0);

/** Refuses a second write of a key within the minimum time. */
function limitWrites(invocation: Invocation, key: string): void {
  const last = written.get(key) ?? 0;
  written.set(key, now());
  const isSoon = now() - last < invocation.limits.r2KeyMs;
  invocation.most("keyWrites", isSoon ? 2 : 1);
  if (isSoon) {
    invocation.refuse(
      `put: Reduce your concurrent request rate for the same object. (10058): ${key}`,
    );
  }
}

/** Number of calls by counter and period. */
const counted = new Map<string, number>();

/** A rate limit with separate counters for each location. */
const perLocation = (real: RateLimit, name: string, rate: { limit: number; period: number }) => ({
  limit: ({ key }: { key: string }) => {
    const invocation = current.getStore();
    const counter = `${invocation?.location ?? ""} ${key}`;
    const calls = `${name} ${counter} ${Math.floor(now() / 1_000 / rate.period)}`;
    const count = Math.min(rate.limit, (counted.get(calls) ?? 0) + 1);
    counted.set(calls, count);
    invocation?.most("rateLimitPercent", Math.round((100 * count) / rate.limit));
    return real.limit({ key: counter });
  },
});

/** Another Worker of the account; calls count as requests to Cloudflare's services. */
const serviceOf = (service: Fetcher) => ({
  fetch: (...args: Parameters<Fetcher["fetch"]>) => {
    const call = () => service.fetch(...args);
    const invocation = current.getStore();
    if (!invocation) return call();
    invocation.spend("internal", 1);
    return invocation.connected(call);
  },
});

/** The wrapped bindings of an environment. Only databases, buckets, queues, services and rate limits are wrapped. */
const bindings = new WeakMap<object, Record<string, unknown>>();
function around(env: Env): Record<string, unknown> {
  const known = bindings.get(env);
  if (known) return known;
  const wrapped = Object.entries(env).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith("REHEARSAL")) return [];
    // Methods can't be used to detect the kind, as a service binding seems to have all of them.
    const kind = (value as object | null)?.constructor?.name;
    if (kind === "D1Database") return [[name, new Database(value as D1Database, env)]];
    if (kind === "R2Bucket")
      return [[name, bucketOf(value as R2Bucket, env.REHEARSAL_DISTANCES.r2)]];
    const rate = env.REHEARSAL_RATE_LIMITS[name];
    if (rate) return [[name, perLocation(value as RateLimit, name, rate)]];
    if (env.REHEARSAL_SERVICES.includes(name)) return [[name, serviceOf(value as Fetcher)]];
    return [[name, value]];
  });
  const queues = Object.entries(env.REHEARSAL_QUEUES).map(
    ([name, queue]) => [name, queueOf(env, queue)] as const,
  );
  const made = Object.fromEntries([...wrapped, ...queues]);
  bindings.set(env, made);
  return made;
}

type Handler<T> = (env: Record<string, unknown>, ctx: ExecutionContext) => Promise<T>;

/** Runs a handler as one invocation, and reports its usage when all its work has ended. */
async function invoke<T>(env: Env, ctx: ExecutionContext, beginning: Beginning, run: Handler<T>) {
  const invocation = new Invocation(env, beginning);
  const begun = now();
  const later: Promise<unknown>[] = [];
  const own = {
    waitUntil: (work: Promise<unknown>) => void later.push(work),
    passThroughOnException: () => {},
    props: {},
  } as unknown as ExecutionContext;
  const deadline = beginning.kind === "fetch" ? null : env.REHEARSAL_LIMITS.wallMs;
  let isStream = false;
  try {
    const running = current.run(invocation, async () => run(around(env), own));
    const result = await (deadline === null ? running : until(deadline, running, invocation));
    isStream =
      result instanceof Response &&
      (result.headers.get("content-type") ?? "").includes("event-stream");
    return result;
  } finally {
    const report = async () => {
      const left = deadline === null ? env.REHEARSAL_LIMITS.afterResponseMs : deadline;
      // While a stream is being sent, the response has not ended.
      await (isStream ? allOf(later) : afterwards(left, later, invocation));
      const usage = invocation.ended(now() - begun);
      const body = JSON.stringify(usage);
      await env.REHEARSAL.fetch("http://rehearsal/usage", { method: "POST", body });
    };
    ctx.waitUntil(report());
  }
}

/** Ends a batch or a cron trigger that takes too long. */
function until<T>(ms: number, running: Promise<T>, invocation: Invocation): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const why = `Exceeded wall time limit of ${ms} ms`;
      invocation.end(why);
      reject(new Error(why));
    }, ms);
    running.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits for all promises, including those added meanwhile. */
async function allOf(later: readonly Promise<unknown>[]): Promise<void> {
  for (let known = -1; known < later.length; ) {
    known = later.length;
    await Promise.allSettled(later);
  }
}

/** Waits for the `waitUntil` tasks, and ends them after the limit. */
async function afterwards(ms: number, later: Promise<unknown>[], invocation: Invocation) {
  if (later.length === 0) return;
  const begun = now();
  const limit = sleep(ms).then(() => "late" as const);
  if ((await Promise.race([allOf(later), limit])) === "late")
    invocation.end(`waitUntil() tasks did not complete within ${ms} ms and were cancelled`);
  invocation.most("afterMs", Math.round(now() - begun));
}

export default {
  fetch: async (request: Request, env: Env, ctx: ExecutionContext) => {
    const { host, pathname } = new URL(request.url);
    if (host === "rehearsal") {
      Object.assign(faults, await request.json());
      return new Response("");
    }
    const beginning = {
      kind: "fetch" as const,
      of: `${request.method} ${pathname}`,
      call: request.headers.get("x-rehearsal-call") ?? "",
      location: request.headers.get("x-rehearsal-location") ?? "",
    };
    return invoke(env, ctx, beginning, (own, after) => uploaded.fetch(request, own, after));
  },
  queue: (batch: MessageBatch, env: Env, ctx: ExecutionContext) => {
    const call = batch.messages[0]?.id ?? "";
    const beginning = { kind: "queue" as const, of: batch.queue, call, location: "" };
    return invoke(env, ctx, beginning, (own, after) => uploaded.queue(batch, own, after));
  },
  scheduled: (event: ScheduledController, env: Env, ctx: ExecutionContext) => {
    const call = `cron ${event.scheduledTime}`;
    const beginning = { kind: "scheduled" as const, of: event.cron, call, location: "" };
    return invoke(env, ctx, beginning, (own, after) => uploaded.scheduled(event, own, after));
  },
};
