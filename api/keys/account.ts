import { textHash } from "#shared/contracts/content-hash.ts";
import type { Scope } from "#shared/contracts/submissions/api-key.ts";
import type { ApiKeyStore } from "./store.ts";

/** Who asks: the owner of what is submitted, and what the key may do. */
export interface Account {
  owner: string;
  scopes: readonly Scope[];
  /** Whose daily quota submissions are taken from; null: nobody's. */
  keyId: string | null;
  /** The key's own daily quota of samples; null: what the deployment gives every key. */
  dailySamples: number | null;
}

/** The account of requests without a key where the deployment asks for none. */
export const localAccount: Account = {
  owner: "local",
  scopes: ["submit", "admin"],
  keyId: null,
  dailySamples: null,
};

/** The account of the operator's own secret, with which the first keys are made. */
const operatorAccount: Account = { ...localAccount, owner: "operator" };

/** "Last used" is kept to within this, so that a key in use costs a row a minute and no more. */
const USE_RESOLUTION_MS = 60_000;

/**
 * The account behind a bearer token: the operator's secret, or an API key that is neither expired
 * nor revoked. Only SHA-256 digests are compared or looked up, so no comparison tells by its time
 * how much of a guess was right.
 */
export async function accountOfToken(
  token: string,
  operatorSecret: string,
  keys: ApiKeyStore,
  now: number,
): Promise<Account | null> {
  const hash = textHash(token);
  if (operatorSecret !== "" && equal(hash, textHash(operatorSecret))) return operatorAccount;
  const key = await keys.byHash(hash);
  if (key === null || key.revokedAt !== null) return null;
  if (key.expiresAt !== null && key.expiresAt <= now) return null;
  if (now - (key.lastUsedAt ?? 0) > USE_RESOLUTION_MS) await keys.markUsed(hash, now);
  const { owner, scopes, id: keyId, dailySamples } = key;
  return { owner, scopes, keyId, dailySamples };
}

/** Compares all characters, however early two texts of one length differ. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** Who looks for something; `anyOwner`: as if it were everybody's. */
export interface Reader {
  owner: string;
  anyOwner: boolean;
}
