import { afterAll, describe, expect, it } from "vitest";
import { EdgeCache } from "./cloud/edge-cache.ts";
import { HOST, tinyWorker } from "./tiny-worker.ts";

const MINUTE = "public, max-age=30, stale-while-revalidate=30, stale-if-error=3600";

interface Reply {
  status?: number;
  body?: string;
  headers?: Record<string, string>;
}

/** A cache in front of a stub Worker, with a clock that the test controls. */
function cached(reply: Reply) {
  const asked: Headers[] = [];
  const worker = { reply, isUp: true, waitsFor: Promise.resolve(), asked };
  const clock = { ms: 0 };
  const cache = new EdgeCache(() => clock.ms);
  const ask = async (init: RequestInit) => {
    asked.push(init.headers as Headers);
    await worker.waitsFor;
    if (!worker.isUp) throw new Error("the isolate was ended");
    const { status = 200, body = `reply ${asked.length}`, headers = {} } = worker.reply;
    return new Response([204, 304].includes(status) ? null : body, { status, headers });
  };
  const fetch = (init: RequestInit = {}, location = "FRA", key = "v1 /board") =>
    cache.fetch({ key, location, init }, ask);
  const get = async (headers: Record<string, string> = {}, location?: string, key?: string) => {
    const found = await fetch({ headers }, location, key);
    return `${found.headers.get("cf-cache-status")} ${found.status} ${await found.text()}`;
  };
  const pass = (seconds: number) => {
    clock.ms += seconds * 1_000;
  };
  return { worker, get, fetch, pass };
}

const saying = (control: string, more: Record<string, string> = {}): Reply => ({
  headers: { "cache-control": control, ...more },
});

describe("EdgeCache", () => {
  it("answers at every location after one reply of the Worker", async () => {
    const { get, worker } = cached(saying(MINUTE));
    expect(await get()).toBe("MISS 200 reply 1");
    expect(await get()).toBe("HIT 200 reply 1");
    expect(await get({}, "SIN")).toBe("HIT 200 reply 1");
    expect(worker.asked).toHaveLength(1);
  });

  it("stores versions and URLs separately", async () => {
    const { get } = cached(saying(MINUTE));
    await get();
    expect(await get({}, "FRA", "v2 /board")).toBe("MISS 200 reply 2");
    expect(await get({}, "FRA", "v1 /board?limit=1")).toBe("MISS 200 reply 3");
  });

  it("serves a stale reply while it fetches a new one, then the new one", async () => {
    const { get, pass } = cached(saying(MINUTE));
    await get();
    pass(30);
    expect(await get()).toBe("UPDATING 200 reply 1");
    await expect.poll(() => get()).toBe("HIT 200 reply 2");
    pass(60);
    expect(await get()).toBe("EXPIRED 200 reply 3");
  });

  it.each(["FRA", "SIN"])(
    "serves no reply beyond its maximum age, counted over all tiers: %s",
    async (location) => {
      const { get, pass } = cached(saying("public, max-age=30"));
      await get();
      pass(20);
      expect(await get({}, location)).toBe("HIT 200 reply 1");
      pass(10);
      expect(await get({}, location)).toBe("EXPIRED 200 reply 2");
    },
  );

  it.each([
    ["fails", { status: 503 }, true],
    ["is dead", {}, false],
  ])("serves a stale reply while the Worker %s, up to stale-if-error", async (_, reply, isUp) => {
    const { get, pass, worker } = cached(saying(MINUTE));
    await get();
    Object.assign(worker, { reply, isUp });
    pass(30 + 3_599);
    expect(await get()).toBe("STALE 200 reply 1");
    pass(1);
    await expect(get().catch(() => "rejected")).resolves.toMatch(/^BYPASS 503|^rejected/);
  });

  it("serves a stale reply on errors without a limit if the reply has no stale-if-error", async () => {
    const { get, pass, worker } = cached(saying("public, max-age=30"));
    await get();
    worker.reply = { status: 500 };
    pass(1e9);
    expect(await get()).toBe("STALE 200 reply 1");
  });

  it.each(["s-maxage=30", "max-age=30, must-revalidate", "max-age=30, proxy-revalidate"])(
    "never serves a stale reply with %s",
    async (control) => {
      const { get, pass, worker } = cached(saying(`${control}, stale-while-revalidate=30`));
      await get();
      expect(await get()).toBe("HIT 200 reply 1");
      pass(30);
      worker.reply = { status: 500 };
      expect(await get()).toBe("BYPASS 500 reply 2");
    },
  );

  it("revalidates a stale reply with If-None-Match", async () => {
    const { get, pass, worker } = cached(saying("public, max-age=30", { etag: '"a"' }));
    await get();
    pass(30);
    worker.reply = { status: 304 };
    expect(await get()).toBe("REVALIDATED 200 reply 1");
    expect(worker.asked[1]?.get("if-none-match")).toBe('"a"');
    expect(await get()).toBe("HIT 200 reply 1");
  });

  it.each<[string, Reply, string]>([
    ["no Cache-Control", {}, "HIT"],
    ["only public", saying("public"), "HIT"],
    ["a 404 without Cache-Control", { status: 404 }, "HIT"],
    ["a 403 without Cache-Control", { status: 403 }, "BYPASS"],
    ["a 403 with max-age", { status: 403, ...saying("public, max-age=30") }, "HIT"],
    ["a 522 with max-age", { status: 522, ...saying("public, max-age=30") }, "BYPASS"],
    ["partial content", { status: 206, ...saying("public, max-age=30") }, "BYPASS"],
    ["private", saying("private, max-age=30"), "BYPASS"],
    ["no-store", saying("no-store"), "BYPASS"],
    ["no-cache", saying("no-cache"), "EXPIRED"],
    ["a cookie", saying(MINUTE, { "set-cookie": "a=b" }), "BYPASS"],
    ["Vary: *", saying(MINUTE, { vary: "*" }), "BYPASS"],
    [
      "Cloudflare-CDN-Cache-Control",
      saying("no-store", { "cloudflare-cdn-cache-control": "max-age=30" }),
      "HIT",
    ],
  ])("decides whether to store a reply with %s", async (_, reply, status) => {
    const { get } = cached(reply);
    await get();
    expect(await get()).toMatch(new RegExp(`^${status} `));
  });

  it("stores the reply to a request with a key only if the reply allows it", async () => {
    const key = { authorization: "Bearer key" };
    const closed = cached(saying("max-age=30"));
    expect(await closed.get(key)).toMatch(/^BYPASS/);
    const open = cached(saying("public, max-age=30"));
    expect(await open.get(key)).toMatch(/^MISS/);
    // Requests with and without a key share a stored reply unless it has Vary.
    expect(await open.get()).toMatch(/^HIT/);
    const apart = cached(saying("public, max-age=30", { vary: "Authorization" }));
    await apart.get();
    expect(await apart.get(key)).toMatch(/^MISS/);
    expect(await apart.get()).toMatch(/^HIT/);
  });

  it("sends one request for many simultaneous readers, or one each if the reply is private", async () => {
    for (const [control, count] of [
      [MINUTE, 1],
      ["private", 5],
    ] as const) {
      const { get, worker } = cached(saying(control));
      await Promise.all(Array.from({ length: 5 }, () => get()));
      expect(worker.asked).toHaveLength(count);
    }
  });

  it("answers HEAD and If-None-Match from the stored reply, but never other methods", async () => {
    const { fetch, worker } = cached(saying(MINUTE, { etag: '"a"', "cache-tag": "boards" }));
    const head = await fetch({ method: "HEAD" });
    expect([await head.text(), head.headers.get("cache-tag")]).toEqual(["", null]);
    const held = await fetch({ headers: { "if-none-match": 'W/"a"' } });
    expect([held.status, held.headers.get("cf-cache-status")]).toEqual([304, "HIT"]);
    const post = await fetch({ method: "POST" });
    expect(post.headers.get("cf-cache-status")).toBe("BYPASS");
    expect(worker.asked).toHaveLength(2);
  });

  it("sets the Age header", async () => {
    const { fetch, pass } = cached(saying(MINUTE));
    expect((await fetch()).headers.get("age")).toBeNull();
    pass(12);
    expect((await fetch()).headers.get("age")).toBe("12");
  });
});

describe("the option cache_options of an upload", () => {
  const source = `fetch() {
    return new Response(crypto.randomUUID(), { headers: { "cache-control": "${MINUTE}" } });
  }`;
  const [cachedWorker, plain] = [tinyWorker(source, { isCached: true }), tinyWorker(source)];
  afterAll(() => Promise.all([cachedWorker.dispose(), plain.dispose()]));

  it("turns the cache on, which uses the Workers' clock", async () => {
    const get = async () => (await cachedWorker.fetch(HOST, {}))?.headers.get("cf-cache-status");
    expect([await get(), await get()]).toEqual(["MISS", "HIT"]);
    await cachedWorker.pass(60_000);
    expect(await get()).toBe("EXPIRED");
  });

  it("is off by default", async () => {
    const get = async () => (await plain.fetch(HOST, {}))!;
    const [first, second] = [await get(), await get()];
    expect(await first.text()).not.toBe(await second.text());
    expect(second.headers.get("cf-cache-status")).toBeNull();
  });
});
