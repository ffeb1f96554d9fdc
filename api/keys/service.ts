import { textHash } from "#shared/contracts/content-hash.ts";
import type { ApiKey, NewApiKey } from "#shared/contracts/submissions/api-key.ts";
import type { ApiKeyRecord, Ports } from "../platform/ports.ts";

/** Tells a key of ours in a leak scanner. */
const PREFIX = "assay_";
const KEY_BYTES = 32;

/** Makes a key of 256 random bits and keeps its SHA-256. */
export async function createApiKey(ports: Ports, wanted: NewApiKey) {
  const key = `${PREFIX}${base64url(ports.randomBytes(KEY_BYTES))}`;
  const record: ApiKeyRecord = {
    hash: textHash(key),
    id: ports.newId("key"),
    owner: wanted.owner,
    name: wanted.name,
    scopes: wanted.scopes,
    createdAt: ports.now(),
    expiresAt: wanted.expiresAt === undefined ? null : Date.parse(wanted.expiresAt),
    dailySamples: wanted.dailySamples ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  await ports.apiKeys.insert(record);
  return { key, record };
}

/** A key as it is listed. */
export function apiKeyView(record: ApiKeyRecord): ApiKey {
  const { id, owner, name, scopes, dailySamples } = record;
  return {
    id,
    owner,
    name,
    scopes,
    dailySamples,
    createdAt: new Date(record.createdAt).toISOString(),
    expiresAt: iso(record.expiresAt),
    revokedAt: iso(record.revokedAt),
    lastUsedAt: iso(record.lastUsedAt),
  };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
