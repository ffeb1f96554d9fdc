import { env } from "cloudflare:workers";

/** The part of D1's client that sends requests. */
interface D1Session {
  _wrappedFetch(url: string, init: { body: string }): Promise<unknown>;
}

/** Limits of R2: bytes of a key, and keys of a page or of a deletion. */
const MOST_KEY_BYTES = 1024;
const MOST_KEYS = 1000;

const { alwaysPrimarySession } = env.DB as unknown as { alwaysPrimarySession: object };
const d1: D1Session = Object.getPrototypeOf(Object.getPrototypeOf(alwaysPrimarySession));
const r2: R2Bucket = Object.getPrototypeOf(env.RESULTS);

const quickD1: D1Session = {
  async _wrappedFetch(url, { body }) {
    const isInColumns = new URL(url).searchParams.get("resultsFormat") === "ROWS_AND_COLUMNS";
    const text = await env.QUICK_DATABASE.getByName("database").reply(body, isInColumns);
    return { status: 200, headers: new Headers(), text: async () => text };
  },
};

const utf8 = new TextEncoder();

/**
 * The methods, options and values that the service uses; others throw, so that tests notice a missing one.
 * Objects have a key, a size, an etag and the methods that read them; `httpMetadata` is dropped.
 */
const quickR2 = {
  async put(key: string, value: string | Uint8Array | Blob, options: R2PutOptions = {}) {
    expectKeys("put", key);
    expectOnly(options, "onlyIf", "httpMetadata");
    const bytes = await bytesOf(value);
    const etag = await env.QUICK_BUCKET.put(key, bytes, conditionOf(options));
    return etag === null ? null : { key, size: bytes.length, etag };
  },
  async get(key: string, options: { range?: { offset: number; length: number } } = {}) {
    expectKeys("get", key);
    expectOnly(options, "range");
    const stored = await env.QUICK_BUCKET.get(key);
    if (stored === null) return null;
    const bytes = options.range ? inRange(stored.bytes, options.range) : stored.bytes;
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
    const { prefix = "", cursor, limit = MOST_KEYS } = options;
    if (!(limit >= 1 && limit <= MOST_KEYS)) unknownTo(`pages of ${limit} keys`);
    const after = cursor === undefined ? "" : decodeURIComponent(atob(cursor));
    const found = await env.QUICK_BUCKET.list(prefix, after, limit);
    const objects = found.slice(0, limit);
    const page = { objects, delimitedPrefixes: [] };
    if (found.length <= limit) return { ...page, truncated: false };
    const last = objects.at(-1)?.key ?? "";
    return { ...page, truncated: true, cursor: btoa(encodeURIComponent(last)) };
  },
  async delete(keys: string | string[]) {
    const all = [keys].flat();
    if (all.length > MOST_KEYS) throw new Error(`delete: ${all.length} keys, at most ${MOST_KEYS}`);
    expectKeys("delete", ...all);
    await env.QUICK_BUCKET.delete(all);
  },
  head: () => unknownTo("head()"),
  createMultipartUpload: () => unknownTo("createMultipartUpload()"),
  resumeMultipartUpload: () => unknownTo("resumeMultipartUpload()"),
};

function unknownTo(what: string): never {
  throw new Error(`the bucket of these tests does not know ${what}`);
}

function expectOnly(options: object, ...known: string[]): void {
  for (const name of Object.keys(options)) if (!known.includes(name)) unknownTo(name);
}

function expectKeys(method: string, ...keys: string[]): void {
  const isLong = (key: string) => utf8.encode(key).length > MOST_KEY_BYTES;
  if (keys.some(isLong))
    throw new Error(`${method}: The specified object name is not valid. (10020)`);
}

async function bytesOf(value: string | Uint8Array | Blob): Promise<Uint8Array> {
  if (typeof value === "string") return utf8.encode(value);
  if (value instanceof Uint8Array) return value;
  return value instanceof Blob
    ? new Uint8Array(await value.arrayBuffer())
    : unknownTo("such a value");
}

function conditionOf({ onlyIf }: R2PutOptions): R2Conditional | undefined {
  if (onlyIf === undefined) return;
  if (onlyIf instanceof Headers) return unknownTo("conditions as headers");
  expectOnly(onlyIf, "etagMatches", "etagDoesNotMatch");
  const { etagMatches, etagDoesNotMatch } = onlyIf;
  const isAbsent = etagMatches === undefined && etagDoesNotMatch === "*";
  const isSame = /^[0-9a-f]{32}$/.test(`${etagMatches}`) && etagDoesNotMatch === undefined;
  return isAbsent || isSame ? onlyIf : unknownTo(JSON.stringify(onlyIf));
}

function inRange(bytes: Uint8Array, range: { offset: number; length: number }): Uint8Array {
  expectOnly(range, "offset", "length");
  const { offset, length } = range;
  if (length === undefined) unknownTo("a range without a length");
  if (!(length > 0 && offset >= 0 && offset < bytes.length)) {
    throw new Error("get: The requested range is not satisfiable (10039)");
  }
  return bytes.subarray(offset, offset + length);
}

/** Miniflare's methods. They are kept on `globalThis`, since a second evaluation of this file would find the replaced ones. */
const miniflares = keptIn(globalThis as { miniflaresStorage?: Methods });

interface Methods {
  d1: D1Session;
  r2: Record<string, unknown>;
}

function keptIn(kept: { miniflaresStorage?: Methods }): Methods {
  const { _wrappedFetch } = d1;
  const methods = Object.keys(quickR2).map((name) => [name, r2[name as keyof R2Bucket]]);
  kept.miniflaresStorage ??= { d1: { _wrappedFetch }, r2: Object.fromEntries(methods) };
  return kept.miniflaresStorage;
}

/** Makes the bindings of D1 and R2 use faster stores; miniflare passes each call through two Workers as a request. */
export function useQuickStorage(): void {
  Object.assign(d1, quickD1);
  Object.assign(r2, quickR2);
}

/** Restores miniflare's D1 and R2. */
export function useMiniflareStorage(): void {
  Object.assign(d1, miniflares.d1);
  useMiniflareR2();
}

export function useMiniflareR2(): void {
  Object.assign(r2, miniflares.r2);
}
