import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { replyOf, type UploadedWorkers } from "./cloud/data-plane.ts";
import type { Usage } from "./cloud/limits.ts";
import { HOST, tinyWorker } from "./tiny-worker.ts";

/** A Worker with a path for each step, and a record of its messages. */
class Tiny {
  readonly workers: UploadedWorkers;
  constructor(steps: Record<string, string>, options: Parameters<typeof tinyWorker>[1] = {}) {
    const cases = Object.entries(steps).map(
      ([name, code]) => `${JSON.stringify(`/${name}`)}: async () => { ${code}; return "done" }`,
    );
    this.workers = tinyWorker(
      `async fetch(request, env, ctx) {
        const steps = { ${cases.join(",\n")} };
        try { return new Response(String(await steps[new URL(request.url).pathname]())) }
        catch (error) { return new Response("threw: " + error.message) }
      },
      async queue(batch, env) {
        for (const message of batch.messages) {
          if (message.attempts === 1 && message.body.waitMs) await new Promise((go) => setTimeout(go, message.body.waitMs));
          await fetch("https://world.test/heard?" + message.body.say + "-" + message.attempts);
        }
      },
      async scheduled(event) { await fetch("https://world.test/heard?cron-" + event.scheduledTime) }`,
      options,
    );
    this.workers.outside = async ({ url }) => {
      if (url.includes("/heard?")) this.heard.push(new URL(url).search.slice(1));
      await setTimeout(50);
      return replyOf(new Response("the world"));
    };
  }

  /** Names of the messages and cron triggers that the Worker has handled. */
  readonly heard: string[] = [];

  /** Runs a step and returns its answer. */
  async does(step: string, location?: string): Promise<string> {
    const reply = await this.workers.fetch(`${HOST}/${step}`, {}, location);
    return (await reply?.text()) ?? "";
  }

  /** The usage of a step's last invocation. */
  async usage(step: string): Promise<Usage> {
    return until(() => this.workers.usage.findLast(({ of }) => of === `GET /${step}`));
  }
}

async function until<T>(look: () => T | undefined | false, ms = 200_000): Promise<T> {
  for (const begun = Date.now(); Date.now() - begun < ms; await setTimeout(20)) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Error(`timeout after ${ms} ms`);
}

const open: Tiny[] = [];
function tiny(...args: ConstructorParameters<typeof Tiny>): Tiny {
  const made = new Tiny(...args);
  open.push(made);
  return made;
}
afterAll(() => Promise.all(open.map(({ workers }) => workers.dispose())));

const insert = 'await env.DB.prepare("INSERT INTO t VALUES (?)").bind("x".repeat(50_000)).run()';

describe("the limits of an invocation", () => {
  const worker = tiny(
    {
      "six-connections":
        'await Promise.all(Array.from({ length: 7 }, () => fetch("https://world.test")))',
      subrequests: 'for (let k = 0; k < 51; k++) await fetch("https://world.test")',
      workers: 'for (let k = 0; k < 11; k++) await env.SELF.fetch("https://tiny.test/none")',
      services: 'for (let k = 0; k < 11; k++) await env.RESULTS.head("none")',
      queries: 'for (let k = 0; k < 51; k++) await env.DB.prepare("SELECT 1").all()',
      "queries-in-batch":
        'await env.DB.batch(Array.from({ length: 51 }, () => env.DB.prepare("SELECT 1")))',
      parameters:
        'await env.DB.prepare("SELECT " + Array(101).fill("?").join("+")).bind(...Array(101).fill(1)).all()',
      statement: 'await env.DB.prepare("SELECT \'" + "é".repeat(50_000) + "\'").all()',
      value: 'await env.DB.prepare("SELECT length(?)").bind("é".repeat(1_000_001)).all()',
      row: 'await env.DB.prepare("INSERT INTO t VALUES (?, ?)").bind("x".repeat(1_200_000), "y".repeat(1_200_000)).run()',
      message: 'await env.QUEUE.send({ say: "é".repeat(64_000) })',
      messages: "await env.QUEUE.sendBatch(Array.from({ length: 101 }, () => ({ body: 1 })))",
      batch:
        'await env.QUEUE.sendBatch(Array.from({ length: 3 }, () => ({ body: "x".repeat(100_000) })))',
      delay: "await env.QUEUE.send({}, { delaySeconds: 86_401 })",
      key: 'await env.RESULTS.put("one", "1"); await env.RESULTS.put("one", "2")',
      keys: 'await env.RESULTS.put("two", "1"); await env.RESULTS.put("three", "2")',
      bare: 'await fetch("https://world.test")',
      read: 'await (await fetch("https://world.test", { headers: { "user-agent": "tiny" } })).text()',
      limited: 'return (await env.LIMIT.limit({ key: "one" })).success',
    },
    { plan: "free", conditions: { limits: { internal: 10 } } },
  );

  it.each([
    ["subrequests", "Too many external by a single Worker invocation: 50"],
    ["workers", "Too many internal by a single Worker invocation: 10"],
    ["services", "Too many internal by a single Worker invocation: 10"],
    ["queries", "Too many d1Queries by a single Worker invocation: 50"],
    ["queries-in-batch", "Too many d1Queries by a single Worker invocation: 50"],
    ["parameters", "D1_ERROR: too many SQL variables"],
    ["statement", "D1_ERROR: statement too long"],
    ["value", "D1_ERROR: string or blob too big: SQLITE_TOOBIG"],
    ["row", "D1_ERROR: string or blob too big: SQLITE_TOOBIG"],
    ["message", "Queues: message too large"],
    ["messages", "Queues: too many messages in a batch"],
    ["batch", "Queues: batch too large"],
    ["delay", "Queues: delay too long"],
    ["key", "put: Reduce your concurrent request rate for the same object. (10058): one"],
  ])("%s: the call throws beyond the limit", async (step, message) => {
    expect(await worker.does(step)).toBe(`threw: ${message}`);
    expect((await worker.usage(step)).refused).toEqual([message]);
  });

  it("the seventh connection waits until another one has its headers", async () => {
    expect(await worker.does("six-connections")).toBe("done");
    const { connections, waited, waitedMs } = await worker.usage("six-connections");
    expect({ connections, waited }).toEqual({ connections: 7, waited: 1 });
    expect(waitedMs).toBeGreaterThan(30);
  });

  it("the limit on writes applies to each key of a bucket separately", async () => {
    expect(await worker.usage("key")).toMatchObject({ keyWrites: 2 });
    expect(await worker.does("keys")).toBe("done");
    expect(await worker.usage("keys")).toMatchObject({ keyWrites: 1 });
  });

  it("requests without User-Agent and unread response bodies are counted", async () => {
    await worker.does("bare");
    expect(await worker.usage("bare")).toMatchObject({ withoutAgent: 1, openBodies: 1 });
    await worker.does("read");
    expect(await worker.usage("read")).toMatchObject({ withoutAgent: 0, openBodies: 0 });
  });

  it("rate limits count each location separately", async () => {
    const asked = ["FRA", "FRA", "FRA", "AMS"];
    const allowed: string[] = [];
    for (const location of asked) allowed.push(await worker.does("limited", location));
    expect(allowed).toEqual(["true", "true", "false", "true"]);
  });
});

describe("the limits of a database", () => {
  const worker = tiny(
    {
      create: 'await env.DB.exec("CREATE TABLE t (a)")',
      fill: `for (let k = 0; k < 40; k++) ${insert}`,
      empty: 'await env.DB.exec("DELETE FROM t WHERE rowid < 10")',
      insert,
      count: 'return env.DB.prepare("SELECT count(*) AS n FROM t").first("n")',
      writers: `await Promise.all(Array.from({ length: 5 }, () => env.DB.exec("DELETE FROM t WHERE rowid < 0")))`,
      queue: `await Promise.all(Array.from({ length: 20 }, () => env.DB.exec("DELETE FROM t WHERE rowid < 0")))`,
    },
    {
      conditions: {
        distances: { d1: 0, r2: 0, queues: 0, d1WriteMs: 40 },
        limits: { d1DatabaseBytes: 1_000_000, d1QueuedMs: 500 },
      },
    },
  );
  const slow = tiny(
    {
      long: 'await env.DB.prepare("WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000) SELECT max(x) FROM c").all()',
    },
    { conditions: { limits: { d1QueryMs: 20 } } },
  );
  const quick = tiny(
    { fill: `await env.DB.exec("CREATE TABLE t (a)"); for (let k = 0; k < 40; k++) ${insert}` },
    { conditions: { limits: { d1DatabaseBytes: 3_000_000 } } },
  );

  it("a full database refuses new rows but allows reads, and accepts rows again after deletions", async () => {
    await worker.does("create");
    const full = "threw: D1_ERROR: Exceeded maximum DB size";
    expect(await worker.does("fill")).toBe(full);
    expect(await worker.does("insert")).toBe(full);
    expect(Number(await worker.does("count"))).toBeGreaterThan(10);
    expect((await worker.usage("insert")).refused).toEqual([full.replace("threw: ", "")]);
    expect(await worker.does("empty")).toBe("done");
    expect(await worker.does("insert")).toBe("done");
    expect(await quick.does("fill")).toBe("done");
    expect((await quick.usage("fill")).d1DatabaseBytes).toBeGreaterThan(2_000_000);
  });

  it("a database executes writes in sequence, and too many overload it", async () => {
    const begun = performance.now();
    expect(await worker.does("writers")).toBe("done");
    expect(performance.now() - begun).toBeGreaterThan(4 * 40);
    expect((await worker.usage("writers")).d1QueuedMs).toBeGreaterThan(3 * 40);
    const overloaded = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
    expect(await worker.does("queue")).toBe(`threw: ${overloaded}`);
  });

  it("a statement that takes too long throws", async () => {
    expect(await slow.does("long")).toBe(
      "threw: D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
    );
  });
});

describe("memory and CPU time", () => {
  const worker = tiny({
    buffers:
      "globalThis.kept = Array.from({ length: 200 }, () => new Uint8Array(2 ** 20).fill(1)); await new Promise((go) => setTimeout(go, 60_000))",
    objects:
      "globalThis.kept = Array.from({ length: 200 }, (_, i) => Array.from({ length: 131_072 }, (_, k) => k * 1.1 + i)); await new Promise((go) => setTimeout(go, 60_000))",
    kept: "return globalThis.kept === undefined",
    idle: "return true",
    killed: 'await env.QUEUE.send({ say: "killed", waitMs: 200_000 })',
    work: "let n = 0; for (let k = 0; k < 2e8; k++) n += Math.sqrt(k); return n > 0",
  });
  const busy = tiny({ loop: "for (;;);", kept: "" }, { cpuMs: 1_500 });

  it.each(["buffers", "objects"])(
    "an isolate with 200 MB of %s is replaced by a new one",
    async (step) => {
      await expect(worker.does(step)).rejects.toThrow("Worker exceeded memory limit");
      expect(await worker.does("kept")).toBe("true");
      expect(worker.workers.watch.peakHeapMb).toBeGreaterThan(128);
    },
  );

  it("a request fails when it exceeds its CPU time", async () => {
    await expect(busy.does("loop")).rejects.toThrow("Worker exceeded CPU time limit");
    expect(await busy.does("kept")).toBe("done");
  });

  it("a message is redelivered when its isolate ends", async () => {
    await worker.does("killed");
    await until(() => worker.workers.queues.delivered.get("tiny") === 1);
    await worker.workers.kill();
    await until(() => worker.heard.includes("killed-2"));
    expect(worker.heard).not.toContain("killed-1");
  });

  it("the CPU time of a request is measured", async () => {
    // The first request of an isolate also counts its start.
    for (const step of ["kept", "idle", "work"]) await worker.does(step);
    const [idle, working] = [await worker.usage("idle"), await worker.usage("work")];
    expect(working.cpuMs).toBeGreaterThan(20);
    expect(working.cpuMs).toBeGreaterThan(idle.cpuMs ?? Number.NaN);
  });
});

describe("time and messages", () => {
  const worker = tiny(
    {
      later: `ctx.waitUntil((async () => {
        await new Promise((go) => setTimeout(go, 600));
        await env.QUEUE.send({ say: "too late" });
      })())`,
      soon: `ctx.waitUntil(env.QUEUE.send({ say: "soon" }))`,
      slow: 'await env.QUEUE.send({ say: "slow", waitMs: 1_500 })',
      "in-time": 'await env.QUEUE.send({ say: "in-time", waitMs: 10 })',
      query: 'await env.DB.prepare("SELECT 1").all()',
      put: 'await env.RESULTS.put(String(Math.random()), "1")',
      get: 'await env.RESULTS.get("one")',
    },
    { conditions: { limits: { afterResponseMs: 300, wallMs: 700 } } },
  );

  it("waitUntil() tasks are cancelled some time after the response", async () => {
    await worker.does("later");
    expect((await worker.usage("later")).refused).toEqual([
      "waitUntil() tasks did not complete within 300 ms and were cancelled",
    ]);
    expect((await worker.usage("later")).afterMs).toBeGreaterThanOrEqual(300);
    await worker.does("soon");
    await until(() => worker.heard.includes("soon-1"));
    await setTimeout(800);
    expect(worker.heard).not.toContain("too late-1");
  });

  it("a batch that takes too long ends, and its message is redelivered", async () => {
    await worker.does("slow");
    await until(() => worker.heard.includes("slow-2"));
    expect(worker.heard).not.toContain("slow-1");
    const ended = await until(() =>
      worker.workers.usage.find(({ refused }) => refused[0]?.startsWith("Exceeded wall")),
    );
    expect(ended.kind).toBe("queue");
    await worker.does("in-time");
    await until(() => worker.heard.includes("in-time-1"));
  });

  it("database and bucket fail for the requested time", async () => {
    await worker.workers.fail("d1", 1_500);
    await worker.workers.fail("r2", 1_500);
    const refused = "We encountered an internal error. Please try again. (10001)";
    expect(await worker.does("query")).toBe("threw: D1_ERROR: Network connection lost.");
    expect(await worker.does("put")).toBe(`threw: put: ${refused}`);
    expect(await worker.does("get")).toBe("done");
    await setTimeout(1_600);
    expect(await worker.does("query")).toBe("done");
    expect(await worker.does("put")).toBe("done");
  });
});

describe("deliveries", () => {
  it("deliver messages twice, late and out of order, and delete those that are too old", async () => {
    const worker = tiny(
      {
        send: 'for (let k = 10; k < 30; k++) await env.QUEUE.send({ say: "n" + k })',
        old: 'await env.QUEUE.send({ say: "old" }, { delaySeconds: 30 })',
      },
      { conditions: { doubled: 1, lateMs: 500, retentionMs: 8_000 } },
    );
    await worker.does("send");
    await until(() => worker.heard.length >= 40);
    const firsts = [...new Set(worker.heard)];
    expect(firsts).toHaveLength(20);
    expect(firsts).not.toEqual(firsts.toSorted());
    await worker.does("old");
    await until(() => worker.workers.queues.expired === 2);
  });

  it.each([
    ["on time", {}, (times: number[]) => times.length >= 3 && new Set(times).size === times.length],
    ["twice", { doubled: 1 }, (times: number[]) => times.length >= 4 && times[1]! - times[0]! <= 1],
    ["never", { skipped: 1 }, (times: number[]) => times.length === 0],
  ])("fire cron triggers %s", async (_, crons, holds) => {
    const worker = tiny(
      { go: "" },
      { crons: ["* * * * *"], conditions: { crons: { everyMs: 300, ...crons } } },
    );
    await worker.does("go");
    const times = () => worker.heard.map((one) => Number(one.split("-")[1])).sort((a, b) => a - b);
    if (holds([])) await setTimeout(1_500);
    else await until(() => holds(times()));
    expect(holds(times())).toBe(true);
  });
});
