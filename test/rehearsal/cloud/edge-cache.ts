import { type Lifetime, lifetimeOf } from "./freshness.ts";

/** A read with its cache key. */
interface Asked {
  key: string;
  headers: Headers;
}

/** Sends a read to the Worker or to the next tier. */
type Ask = (asked: Asked) => Promise<Response>;

interface Stored {
  status: number;
  headers: Headers;
  body: ArrayBuffer;
  /** Time at which the age was 0, ms since 1970. */
  since: number;
  lifetime: Lifetime;
}

/**
 * Cloudflare's cache in front of a Worker ("Workers Cache"). Each location has its own tier, which asks the upper tier of
 * all locations, which asks the Worker. GET and HEAD are cached by the Worker's version, path and query (without the
 * host), and by the request headers that Vary names. Per tier and key, one request asks at a time; the others wait for it.
 * A response that may not be stored leaves the stored one in place.
 *
 * Sources, below developers.cloudflare.com (read 2026-11-27): workers/cache (tiers, collapsing), workers/cache/cache-keys,
 * workers/cache/configuration, workers/cache/debugging, cache/concepts/cache-responses; otherwise RFC 9111. Left out:
 * purging, ranges (the whole response is sent), the maximum size, network latency.
 */
export class EdgeCache {
  readonly #now: () => number;
  readonly #upper: Tier;
  readonly #lower = new Map<string, Tier>();

  /** `now`: ms since 1970. */
  constructor(now: () => number) {
    this.#now = now;
    this.#upper = new Tier(now);
  }

  /** Answers a request at a location. `key`: the Worker's version, path and query. */
  async fetch(
    { key, location, init }: { key: string; location: string; init: RequestInit },
    ask: (init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const { method = "GET" } = init;
    const headers = new Headers(init.headers);
    if (!["GET", "HEAD"].includes(method) || headers.has("upgrade")) {
      return withStatus(await ask(init), "BYPASS");
    }
    const askWorker: Ask = async (asked) =>
      // Removes the cache status that the Worker passes on from static files.
      withStatus(await ask({ ...init, method: "GET", headers: asked.headers }), null);
    const askUpper: Ask = (asked) => this.#upper.answer(asked, askWorker);
    const whole = new Headers(headers);
    whole.delete("range");
    const reply = await this.#at(location).answer({ key, headers: whole }, askUpper);
    return toReader(reply, method, headers);
  }

  #at(location: string): Tier {
    const tier = this.#lower.get(location) ?? new Tier(this.#now);
    this.#lower.set(location, tier);
    return tier;
  }
}

/** One store of responses. */
class Tier {
  readonly #now: () => number;
  readonly #stored = new Map<string, Stored>();
  /** Request headers that responses of a key depend on. */
  readonly #varies = new Map<string, string[]>();
  /** Requests in flight that others wait for. */
  readonly #asking = new Map<string, Promise<unknown>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async answer(asked: Asked, ask: Ask): Promise<Response> {
    const known = this.#answerFromStore(asked, ask);
    if (known !== null) return known;
    const other = this.#asking.get(this.#variantOf(asked));
    if (other === undefined) return this.#askOnce(asked, ask);
    await other.catch(() => {});
    const shared = this.#answerFromStore(asked, ask);
    // A waiting read takes as long as the Worker. If the reply can't be shared, each read sends its own request.
    return shared === null ? this.#ask(asked, ask) : withStatus(shared, "MISS");
  }

  #answerFromStore(asked: Asked, ask: Ask): Response | null {
    const variant = this.#variantOf(asked);
    const stored = this.#stored.get(variant);
    if (stored === undefined) return null;
    const age = this.#ageOf(stored);
    if (age < stored.lifetime.fresh) return this.#served(stored, "HIT");
    if (age >= stored.lifetime.whileRevalidating) return null;
    if (!this.#asking.has(variant)) this.#askOnce(asked, ask).catch(() => {});
    return this.#served(stored, "UPDATING");
  }

  async #askOnce(asked: Asked, ask: Ask): Promise<Response> {
    const variant = this.#variantOf(asked);
    const asking = this.#ask(asked, ask);
    this.#asking.set(variant, asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(variant);
    }
  }

  async #ask(asked: Asked, ask: Ask): Promise<Response> {
    const old = this.#stored.get(this.#variantOf(asked));
    const etag = old?.headers.get("etag");
    const headers = new Headers(asked.headers);
    if (etag) headers.set("if-none-match", etag);
    const reply = await ask({ ...asked, headers }).catch((error: Error) => error);
    const hasFailed = reply instanceof Error || reply.status >= 500;
    if (old && hasFailed && this.#ageOf(old) < old.lifetime.onError)
      return this.#served(old, "STALE");
    if (reply instanceof Error) throw reply;
    if (old && etag && reply.status === 304) {
      const updated = new Headers(old.headers);
      for (const [name, value] of reply.headers) updated.set(name, value);
      const { status, body } = old;
      const unchanged = new Response(body, { status, headers: updated });
      return this.#store(asked, unchanged, "REVALIDATED");
    }
    return this.#store(asked, reply, old ? "EXPIRED" : "MISS");
  }

  /** Stores a response if allowed, and returns it. */
  async #store(asked: Asked, reply: Response, cacheStatus: string): Promise<Response> {
    const lifetime = lifetimeOf(reply, asked.headers.has("authorization"));
    const { status, headers } = reply;
    // The status of the upper tier is more precise.
    const upperStatus = headers.get(STATUS);
    if (lifetime === null) return withStatus(reply, upperStatus ?? "BYPASS");
    const body = await reply.arrayBuffer();
    const since = this.#now() - Number(headers.get("age") ?? 0) * 1_000;
    const varies =
      headers
        .get("vary")
        ?.toLowerCase()
        .split(/\s*,\s*/) ?? [];
    this.#varies.set(asked.key, varies);
    this.#stored.set(this.#variantOf(asked), { status, headers, body, since, lifetime });
    return withStatus(
      new Response(bodyFor(status, body), { status, headers }),
      upperStatus ?? cacheStatus,
    );
  }

  #served(stored: Stored, cacheStatus: string): Response {
    const { status, body } = stored;
    const headers = new Headers(stored.headers);
    headers.set("age", `${Math.floor(this.#ageOf(stored))}`);
    return withStatus(new Response(bodyFor(status, body), { status, headers }), cacheStatus);
  }

  #ageOf({ since }: Stored): number {
    return (this.#now() - since) / 1_000;
  }

  #variantOf({ key, headers }: Asked): string {
    const values = (this.#varies.get(key) ?? []).map((name) => headers.get(name));
    return JSON.stringify([key, ...values]);
  }
}

const STATUS = "cf-cache-status";

/** A 204 must not have a body, even an empty one. */
const bodyFor = (status: number, body: ArrayBuffer) => (status === 204 ? null : body);

function withStatus({ body, status, headers }: Response, cacheStatus: string | null): Response {
  const own = new Headers(headers);
  if (cacheStatus === null) own.delete(STATUS);
  else own.set(STATUS, cacheStatus);
  return new Response(body, { status, headers: own });
}

/** The reply to the reader, without Cloudflare's headers, and without a body for HEAD or a matching If-None-Match. */
function toReader(reply: Response, method: string, asked: Headers): Response {
  const headers = new Headers(reply.headers);
  for (const name of ["cloudflare-cdn-cache-control", "cache-tag"]) headers.delete(name);
  const held = asked.get("if-none-match")?.split(/\s*,\s*/) ?? [];
  const isHeld = reply.status === 200 && held.some((tag) => isSame(tag, headers.get("etag")));
  const body = isHeld || method === "HEAD" ? null : reply.body;
  return new Response(body, { status: isHeld ? 304 : reply.status, headers });
}

const isSame = (one: string, other: string | null) =>
  one.replace(/^W\//, "") === other?.replace(/^W\//, "");
