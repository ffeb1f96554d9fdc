import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  type RateLimiter,
  type RequestKind,
  rateLimiter,
} from "../../../api/platform/rate-limiter.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { anAccount, harness } from "../support/harness.ts";

/** Allows `limit` requests of each caller and kind, and `failedLimit` with an unknown key. */
function tight(limit: number, failedLimit = limit) {
  const counts = new Map<string, number>();
  const limiter: RateLimiter = {
    allows: async (kind, caller) => {
      const id = `${kind} ${caller}`;
      counts.set(id, (counts.get(id) ?? 0) + 1);
      const allowed = kind === "failed-authentication" ? failedLimit : limit;
      return (counts.get(id) ?? 0) <= allowed;
    },
    periodSeconds: (kind) => (kind === "failed-authentication" ? 60 : 10),
  };
  return { limiter, counts };
}

const from = (address: string, key?: string) => ({
  "cf-connecting-ip": address,
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
});

/** A service with two keys that uses the limiter above. */
function setUp(limit: number, failedLimit?: number) {
  const { limiter, counts } = tight(limit, failedLimit);
  const { platform } = harness({ limiter });
  const keys = { a: anAccount("acme"), b: anAccount("other") };
  return { ...serve(platform, keys), counts };
}

describe("requests beyond the limit", () => {
  it("get 429 with the time to wait", async () => {
    const { get } = setUp(2);
    for (let i = 0; i < 2; i++) expect((await get("/v1/datasets")).status).toBe(200);
    const response = await get("/v1/datasets");
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("10");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const problem = await problemOf(response);
    expect(problem.retryable).toBe(true);
    expect(problem.type).toContain("/errors/too-many-requests/");
    expect(problem.detail).toContain("too many reads in 10 s");
  });

  it("are counted separately by address, key and kind", async () => {
    const { get, post } = setUp(1);
    const statuses = [
      (await get("/v1/datasets", from("203.0.113.1"))).status,
      (await get("/v1/datasets", from("203.0.113.1"))).status,
      (await get("/v1/datasets", from("203.0.113.2"))).status,
      (await get("/v1/suites", from("203.0.113.1"))).status,
      (await post("/v1/submissions", {}, from("203.0.113.1"))).status,
      (await get("/v1/datasets", from("203.0.113.3", "a"))).status,
      (await get("/v1/datasets", from("203.0.113.4", "a"))).status,
      (await get("/v1/datasets", from("203.0.113.5", "b"))).status,
    ];
    expect(statuses).toEqual([200, 429, 200, 200, 422, 200, 429, 200]);
  });

  it("are counted for a whole IPv6 network", async () => {
    const { get } = setUp(1);
    expect((await get("/v1/datasets", from("2001:db8::1"))).status).toBe(200);
    expect((await get("/v1/datasets", from("2001:db8::2"))).status).toBe(429);
    expect((await get("/v1/datasets", from("2001:db8:0:1::1"))).status).toBe(200);
  });

  it("reach no handler", async () => {
    const { post } = setUp(0);
    expect((await post("/v1/submissions", aSubmission("x"))).status).toBe(429);
  });
});

describe("unknown keys", () => {
  it("are limited by address, even if each request sends another one", async () => {
    const { get, counts } = setUp(100, 3);
    const guess = (key: string) => get("/v1/usage", from("203.0.113.1", key));
    const statuses: number[] = [];
    for (const key of ["guess-1", "guess-2", "guess-3"]) statuses.push((await guess(key)).status);
    const refused = await guess("guess-4");
    expect([...statuses, refused.status]).toEqual([401, 401, 401, 429]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await problemOf(refused)).detail).toContain("an API key that is not known here");
    expect([...counts.keys()].join()).not.toContain("guess");
    expect((await get("/v1/usage", from("203.0.113.1", "a"))).status).toBe(200);
    expect((await get("/v1/usage", from("203.0.113.2", "guess-5"))).status).toBe(401);
  });
});

describe("badges and boards", () => {
  it.each(["/badge/acme/model.svg", "/v1/snapshot", "/v1/leaderboard?suite=relay&dataset=none"])(
    "have a limit of their own: %s",
    async (path) => {
      const { get, counts } = setUp(5);
      await get(path, from("203.0.113.1", "a"));
      const kinds = [...counts.keys()].map((id) => id.split(" ")[0]);
      expect(new Set(kinds)).toEqual(new Set(["public-read"]));
    },
  );
});

describe("comparisons", () => {
  it("have a limit of their own", async () => {
    const { get, counts } = setUp(1);
    const path = "/v1/compare?runs=a,b";
    const statuses = [await get(path), await get(path)].map(({ status }) => status);
    expect(statuses).toEqual([404, 429]);
    expect(new Set([...counts.keys()].map((id) => id.split(" ")[0]))).toEqual(
      new Set(["comparison"]),
    );
    expect((await get("/v1/datasets")).status).toBe(200);
  });
});

describe("rateLimiter()", () => {
  it("applies the binding of each kind of request", async () => {
    const { TIGHT_LIMIT: tightest, LIMIT_READS: open } = env;
    const others = {
      write: open,
      "public-read": open,
      comparison: open,
      "costly-read": open,
      test: open,
      "failed-authentication": open,
    };
    const limiter = rateLimiter({ read: tightest, ...others });
    const ask = (kind: RequestKind, caller: string) => limiter.allows(kind, caller);
    expect([await ask("read", "a"), await ask("read", "a"), await ask("read", "a")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await ask("read", "b"), await ask("write", "a")]).toEqual([true, true]);
  });
});

describe("limits of a local service", () => {
  it("use the bindings of wrangler.toml and are never reached", async () => {
    const { limiter } = harness().platform;
    const kinds = ["read", "write", "public-read", "comparison", "failed-authentication"] as const;
    for (const kind of kinds) expect(await limiter.allows(kind, "ip:local")).toBe(true);
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, () => env.LIMIT_READS.limit({ key: "many" })),
    );
    expect(outcomes.every(({ success }) => success)).toBe(true);
  });
});
