import { env } from "cloudflare:workers";

/** The part of D1's client that sends requests. */
interface D1Session {
  _wrappedFetch(url: string, init: { body: string }): Promise<unknown>;
}

/** What the service asks of R2. */
type Bucket = Pick<R2Bucket, "put" | "get" | "list" | "delete">;

const MOST_LISTED = 1000;

const { alwaysPrimarySession } = env.DB as unknown as { alwaysPrimarySession: object };
const d1: D1Session = Object.getPrototypeOf(Object.getPrototypeOf(alwaysPrimarySession));
const r2: Bucket = Object.getPrototypeOf(env.RESULTS);
const { _wrappedFetch } = d1;
const { put, get, list, delete: remove } = r2;
const miniflares = { d1: { _wrappedFetch }, r2: { put, get, list, delete: remove } };

const quickD1: D1Session = {
  async _wrappedFetch(url, { body }) {
    const isInColumns = new URL(url).searchParams.get("resultsFormat") === "ROWS_AND_COLUMNS";
    const text = await env.QUICK_DATABASE.getByName("database").reply(body, isInColumns);
    return { status: 200, headers: new Headers(), text: async () => text };
  },
};

/** Fails for an option that the bucket of these tests doesn't know: it would leave it out in silence. */
function expectOnly(options: object, ...known: string[]): void {
  const other = Object.keys(options).filter((name) => !known.includes(name));
  if (other.length > 0) throw new Error(`the bucket of these tests does not know ${other}`);
}

const quickR2 = {
  async put(key: string, value: string | Uint8Array | Blob, options: R2PutOptions = {}) {
    expectOnly(options, "onlyIf", "httpMetadata");
    const bytes = new Uint8Array(await new Response(value).arrayBuffer());
    const etag = await env.QUICK_BUCKET.put(key, bytes, options.onlyIf as R2Conditional);
    return etag === null ? null : { key, size: bytes.length, etag };
  },
  async get(key: string, options: { range?: { offset: number; length: number } } = {}) {
    expectOnly(options, "range");
    const stored = await env.QUICK_BUCKET.get(key);
    if (stored === null) return null;
    const { offset, length } = options.range ?? { offset: 0, length: stored.bytes.length };
    const bytes = stored.bytes.subarray(offset, offset + length);
    const text = () => new TextDecoder().decode(bytes);
    return {
      key,
      size: stored.bytes.length,
      etag: stored.etag,
      arrayBuffer: async () => bytes.slice().buffer,
      text: async () => text(),
      json: async () => JSON.parse(text()),
    };
  },
  async list(options: R2ListOptions = {}) {
    expectOnly(options, "prefix", "cursor", "limit");
    const { prefix = "", cursor = "", limit = MOST_LISTED } = options;
    const found = await env.QUICK_BUCKET.list(prefix, cursor, limit);
    const objects = found.slice(0, limit);
    const truncated = found.length > limit;
    return {
      objects,
      truncated,
      delimitedPrefixes: [],
      ...(truncated && { cursor: objects.at(-1)?.key }),
    };
  },
  async delete(keys: string | string[]) {
    const all = [keys].flat();
    if (all.length > MOST_LISTED) throw new Error(`delete: ${all.length} keys, at most 1,000`);
    await env.QUICK_BUCKET.delete(all);
  },
};

/**
 * Bindings of D1 and R2 reach stores that cost a sixth of the time of miniflare's, which passes each call through two
 * Workers as a request: most of the time of these tests.
 */
export function useQuickStorage(): void {
  Object.assign(d1, quickD1);
  Object.assign(r2, quickR2);
}

/** The same bindings reach miniflare's again. */
export function useMiniflareStorage(): void {
  Object.assign(d1, miniflares.d1);
  Object.assign(r2, miniflares.r2);
}
