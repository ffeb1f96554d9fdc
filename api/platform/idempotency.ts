import type { Result } from "#shared/contracts/result.ts";
import type { IdempotencyRecord } from "../keys/schema.ts";
import type { Platform } from "./platform.ts";

/** Longer than creating anything takes: a request that is silent for so long has died. */
const HELD_MS = 30_000;
const KEPT_MS = 24 * 3_600_000;

/** A request that may come again: under whose key, and the hash of all that it asks. */
export interface RepeatableRequest {
  owner: string;
  key: string;
  bodyHash: string;
}

/** How a resource is found and made under an id that was reserved for it. */
export interface Creation<T, E> {
  idPrefix: string;
  find(id: string): Promise<T | null>;
  /** Where the id is taken by now, another made it for the same request: gives that one. */
  create(id: string): Promise<Result<T, E>>;
}

/** `reused`: the key belongs to another request; `in-progress`: the same one is being carried out. */
export type KeyConflict = { kind: "reused" | "in-progress" };

export type Outcome<T, E> =
  | { kind: "created" | "replayed"; value: T }
  | { kind: "refused"; error: E }
  | KeyConflict;

/**
 * Creates what a request asks for once, however often it comes under its idempotency key. The key
 * reserves the id; whether something stands under it says whether the request was carried out, so
 * that a Worker that dies in between leaves no doubt, and one that was only slow meets the same id.
 */
export async function createOnce<T, E>(
  platform: Platform,
  request: RepeatableRequest | null,
  creation: Creation<T, E>,
): Promise<Outcome<T, E>> {
  const id = platform.newId(creation.idPrefix);
  if (request === null) return outcomeOf(await creation.create(id));
  const now = platform.now();
  const wanted = { ...request, resource: id, reservedUntil: now + HELD_MS, createdAt: now };
  const found = await platform.idempotency.reserve(wanted, now - KEPT_MS);
  if (found.bodyHash !== request.bodyHash) return { kind: "reused" };
  if (found.resource === id) return carryOut(platform, found, creation);
  const made = await creation.find(found.resource);
  if (made !== null) return { kind: "replayed", value: made };
  const isSilent = found.reservedUntil <= now;
  if (!isSilent || !(await platform.idempotency.renew(found, wanted.reservedUntil))) {
    return { kind: "in-progress" };
  }
  return carryOut(platform, { ...found, reservedUntil: wanted.reservedUntil }, creation);
}

/** Forgets the keys that no request may refer to any more. */
export const forgetKeys = (platform: Platform): Promise<void> =>
  platform.idempotency.prune(platform.now() - KEPT_MS);

/** A refused request frees its key; one that broke may be repeated at once, under the same id. */
async function carryOut<T, E>(
  platform: Platform,
  held: IdempotencyRecord,
  creation: Creation<T, E>,
): Promise<Outcome<T, E>> {
  try {
    const outcome = outcomeOf(await creation.create(held.resource));
    if (outcome.kind === "refused") await platform.idempotency.release(held);
    return outcome;
  } catch (error) {
    // Where this fails, too, the reservation ends by itself.
    await platform.idempotency.renew(held, platform.now()).catch(() => false);
    throw error;
  }
}

const outcomeOf = <T, E>(result: Result<T, E>): Outcome<T, E> =>
  result.ok ? { kind: "created", value: result.value } : { kind: "refused", error: result.error };
