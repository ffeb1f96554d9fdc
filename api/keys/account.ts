import { textHash } from "#shared/contracts/content-hash.ts";
import type { Scope } from "#shared/contracts/keys/api-key.ts";
import type { OpenedThing } from "#shared/contracts/keys/share.ts";
import type { ApiKeyRecord } from "./schema.ts";
import type { ApiKeyStore } from "./store.ts";

/** The caller: owner of what is submitted, and rights of the key. */
export interface Account {
  owner: string;
  scopes: readonly Scope[];
  /** Key whose daily quota pays for submissions; null: no quota. */
  keyId: string | null;
  /** Daily sample quota of the key; null: the deployment's default. */
  dailySamples: number | null;
  /** The person who acts, by a session or by a key that they made. Undefined for keys of the operator. */
  person?: string;
  /** Owners whose private data a session reads: the person and their organisations. Undefined: only `owner`. */
  reads?: readonly string[];
  /** Ids of the runs that the request's share link opens, and the board or parity that it opens. */
  shared?: readonly string[];
  opened?: Opened;
}

/** A board or parity that a share link opens, and the account whose runs it shows. */
interface Opened {
  owner: string;
  thing: OpenedThing | null;
  /** When the link was made, Unix ms. */
  madeAt: number;
}

/** Account of requests without a key, if the deployment requires none. */
export const localAccount: Account = {
  owner: "local",
  scopes: ["submit", "admin"],
  keyId: null,
  dailySamples: null,
};

/** Whether the account owns all datasets: on a service without keys, owners are only names. */
export const ownsAll = (account: Account | null): boolean => account === localAccount;

/** Account of the operator secret, which creates the first keys. */
const operatorAccount: Account = { ...localAccount, owner: "operator" };

/** Resolution of "last used": at most one row write per minute for a key in use. */
const USE_RESOLUTION_MS = 60_000;

/**
 * The account of a bearer token: the operator secret, or a valid API key. Only SHA-256 digests are compared, so timing
 * reveals nothing about the token.
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
  return accountOfKey(key);
}

export const accountOfKey = ({
  owner,
  scopes,
  id: keyId,
  dailySamples,
  createdBy,
}: Omit<ApiKeyRecord, "hash">): Account => ({
  owner,
  scopes,
  keyId,
  dailySamples,
  ...(createdBy !== null && { person: createdBy }),
});

/** Compares all characters, so that timing does not depend on the first difference. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/**
 * A reader. `owners`: whose private data it reads, if not only that of `owner`; `anyOwner`: may read everything.
 * Without an account the owner is empty, which no account is.
 */
export interface Reader {
  owner: string;
  owners?: readonly string[];
  anyOwner: boolean;
  /** Ids of the runs that a share link opens, and what else it opens. */
  shared?: readonly string[] | undefined;
  opened?: Opened | undefined;
}

/**
 * The reader for an account; null: anonymous. A key with only the scopes to rate or to run a runner reads nothing
 * private; a member of an organisation may always read.
 */
export function readerOf(account: Account | null): Reader {
  const { owner = "", scopes = [], reads, shared, opened } = account ?? {};
  const isReading = reads !== undefined || scopes.includes("submit") || scopes.includes("admin");
  return {
    owner: isReading ? owner : "",
    ...(reads && { owners: reads }),
    anyOwner: scopes.includes("admin"),
    shared,
    opened,
  };
}

/** The account as a reader of answers to rate: with the scope `rate`, it reads those of its own runs. */
export const raterOf = (account: Account): Account => ({
  ...account,
  scopes: account.scopes.includes("rate") ? [...account.scopes, "submit"] : account.scopes,
});

/** Whether a reader may read an owner's private data; the only place that decides this. */
export const mayRead = (reader: Reader, privateTo: string): boolean =>
  reader.anyOwner || ownersOf(reader).includes(privateTo);

/** Owners whose private data a reader may read, for conditions of queries. */
export const ownersOf = ({ owner, owners = [owner] }: Reader): string[] => [...owners];
