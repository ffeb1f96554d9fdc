import { textHash } from "#shared/contracts/content-hash.ts";
import type { ApiKey, NewApiKey, Scope } from "#shared/contracts/keys/api-key.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import type { AuditRecord } from "../operator/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { base64url } from "../security/base64url.ts";
import type { ApiKeyRecord } from "./schema.ts";

/**
 * Checks beyond the schema: expiry in the future, and no idempotency key, because the secret is not stored and can't be
 * sent again.
 */
export function keyErrors(
  idempotencyKey: string | undefined,
  wanted: Pick<NewApiKey, "expiresAt">,
  now: number,
) {
  const errors: FieldError[] = [];
  if (idempotencyKey !== undefined) {
    const detail =
      "is not supported here, because the response contains a key that is not stored: leave the header out. If a response was lost, find its key with GET /v1/keys, revoke it with DELETE /v1/keys/{id} and create another";
    errors.push({ parameter: "idempotency-key", detail });
  }
  const { expiresAt } = wanted;
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) {
    const detail = `must be in the future, not ${expiresAt}: it is ${new Date(now).toISOString()} now`;
    errors.push({ pointer: "/expiresAt", detail });
  }
  return errors;
}

/** Lets leak scanners recognise keys. */
const PREFIX = "assay_";
const KEY_BYTES = 32;

/** Maximum active keys of an account, however they were made. */
const MOST_KEYS = 50;

/** Why an account can't have another key; null if it can. */
export async function keysRefusal(platform: Platform, owner: string): Promise<string | null> {
  const live = await platform.apiKeys.liveOf(owner, platform.now());
  if (live.length < MOST_KEYS) return null;
  return `"${owner}" has ${MOST_KEYS} keys that work, which is the most: revoke one first`;
}

/**
 * Creates a key of 256 random bits and stores its SHA-256. `person`: who makes it; null: the operator. `noted`: its
 * entry for the audit log. Stores nothing if the person may no longer submit for the owner, or the owner has too many
 * keys.
 */
export async function createApiKey(
  platform: Platform,
  wanted: Omit<NewApiKey, "scopes"> & { scopes: Scope[] },
  person: string | null = null,
  noted: (record: ApiKeyRecord) => AuditRecord | undefined = () => undefined,
) {
  if (person === null) await platform.accounts.reserve(wanted.owner, platform.now());
  const key = `${PREFIX}${base64url(platform.randomBytes(KEY_BYTES))}`;
  const record: ApiKeyRecord = {
    hash: textHash(key),
    id: platform.newId("key"),
    owner: wanted.owner,
    name: wanted.name,
    scopes: wanted.scopes,
    createdAt: platform.now(),
    expiresAt: wanted.expiresAt === undefined ? null : Date.parse(wanted.expiresAt),
    dailySamples: wanted.dailySamples ?? null,
    revokedAt: null,
    lastUsedAt: null,
    createdBy: person,
  };
  const most = person === null ? Number.MAX_SAFE_INTEGER : MOST_KEYS;
  const isStored = await platform.apiKeys.insert(record, most, noted(record));
  return { key, record, isStored };
}

/** The rights that a key grants, and to whom. */
export const grantOf = ({ owner, name, scopes, dailySamples, expiresAt }: ApiKeyRecord) => ({
  owner,
  name,
  scopes: [...scopes],
  dailySamples,
  expiresAt: iso(expiresAt),
});

export function apiKeyView(record: ApiKeyRecord): ApiKey {
  const { id, owner, name, scopes, dailySamples, createdBy } = record;
  return {
    id,
    owner,
    name,
    scopes,
    dailySamples,
    createdBy,
    createdAt: new Date(record.createdAt).toISOString(),
    expiresAt: iso(record.expiresAt),
    revokedAt: iso(record.revokedAt),
    lastUsedAt: iso(record.lastUsedAt),
  };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
