import type { Result } from "#shared/contracts/result.ts";
import type { IdempotencyRecord } from "../keys/schema.ts";
import type { Platform } from "./platform.ts";

/** Longer than any creation takes: a request that is silent for this long has crashed. */
const HELD_MS = 30_000;
const KEPT_MS = 24 * 3_600_000;

/** A request that may be repeated: owner, key, and hash of its content. */
export interface RepeatableRequest {
  owner: string;
  key: string;
  bodyHash: string;
}

/** How to find and create a resource under its reserved id. */
export interface Creation<T, E> {
  idPrefix: string;
  find(id: string): Promise<T | null>;
  /** If the id exists by now, the same request created it: returns that resource. */
  create(id: string): Promise<Result<T, E>>;
}

/** `reused`: the key belongs to another request; `in-progress`: the same request is being executed. */
export type KeyConflict = { kind: "reused" | "in-progress" };

export type Outcome<T, E> =
  | { kind: "created" | "replayed"; value: T }
  | { kind: "refused"; error: E }
  | KeyConflict;

/**
 * Creates a resource once, however often the request is repeated with its idempotency key. The key reserves an id, and
 * the resource under that id shows whether the request was executed. So a Worker that dies leaves no ambiguity, and a
 * slow one uses the same id.
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

/** Deletes keys that are too old to be repeated, and sessions that have ended. */
export async function forgetKeys(platform: Platform): Promise<void> {
  await platform.idempotency.prune(platform.now() - KEPT_MS);
  await platform.accounts.forgetExpired(platform.now());
  await platform.organisations.forgetInvitations(platform.now());
}

/** A refused request releases its key; one that threw may be repeated at once with the same id. */
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
    // If this fails, too, the reservation expires.
    await platform.idempotency.renew(held, platform.now()).catch(() => false);
    throw error;
  }
}

const outcomeOf = <T, E>(result: Result<T, E>): Outcome<T, E> =>
  result.ok ? { kind: "created", value: result.value } : { kind: "refused", error: result.error };
