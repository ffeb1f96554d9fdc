import type { Route } from "#shared/contracts/judging/judge.ts";
import type { RunWork } from "../engine/run-work.ts";
import { Postponed } from "../platform/backoff.ts";
import type { Platform } from "../platform/platform.ts";
import { Outage } from "../platform/retry-storage.ts";
import { lost, unanswered } from "../providers/batches/batch-api.ts";
import {
  type BatchClient,
  type BatchReply,
  batchClient,
  type SeenBatch,
} from "../providers/batches/batch-client.ts";
import type { Failure } from "../providers/failure.ts";
import { askedKey, pieceKey, type WaitingBatch } from "./batch-book.ts";
import type { BatchRecord } from "./schema.ts";
import type { BatchLane } from "./store.ts";

/** Wait after a failed request to a provider that names no delay, ms. */
const RETRY_MS = 60_000;
/** Wait after a batch that the provider did not start, because too many tokens are queued in others. */
const BUSY_MS = 900_000;
/** Characters of replies per object. */
const PIECE_CHARS = 2_000_000;
/** Providers end a batch within a day or two; after this time it is given up. */
const OPEN_MAX_MS = 3 * 86_400_000;

const overdue = unanswered("timeout", "the provider's batch did not end within three days");
const unnamed: Failure = {
  ...unanswered("server_error", "the endpoint has no batches any more"),
  retryable: false,
};

/** A lane's batches after polling the open ones; `isNews`: replies have arrived, or requests were lost. */
export interface SeenBatches {
  open: BatchRecord[];
  read: BatchRecord[];
  isNews: boolean;
}

/**
 * Polls the open batches of a lane, and stores the replies of those that have ended. Can be repeated and interrupted.
 * Throws `Postponed` if a provider can't be called now.
 */
export async function lookAtBatches(
  platform: Platform,
  work: RunWork,
  batches: readonly BatchRecord[],
): Promise<SeenBatches> {
  const seen: SeenBatches = { open: [], read: [], isNews: false };
  for (const batch of batches) {
    if (batch.pieces !== null) {
      seen.read.push(batch);
      continue;
    }
    const after = await lookAt(platform, work, batch);
    if (after?.pieces === null) seen.open.push(after);
    else seen.isNews = true;
    if (after != null && after.pieces !== null) seen.read.push(after);
  }
  return seen;
}

/** Null if the batch never reached the provider. */
async function lookAt(
  platform: Platform,
  work: RunWork,
  batch: BatchRecord,
): Promise<BatchRecord | null> {
  const client = clientOf(platform, work, batch.judge);
  const ids = (await platform.objects.get<string[]>(askedKey(batch))) ?? [];
  if (client === null) return storeReplies(platform, batch, ids, unnamed);
  const providerId = batch.providerId ?? (await findAgain(platform, client, batch));
  if (providerId === null) {
    await platform.batches.drop(batch.id);
    return null;
  }
  const known = { ...batch, providerId };
  const looked = await client.look(providerId, ids);
  if (!looked.ok) return failed(platform, known, ids, looked.failure);
  if (looked.value.kind === "open") {
    if (platform.now() - batch.createdAt < OPEN_MAX_MS) return known;
    await client.cancel(providerId);
    return storeReplies(platform, known, ids, overdue);
  }
  return readEnded(platform, client, known, ids, looked.value);
}

async function readEnded(
  platform: Platform,
  client: BatchClient,
  batch: BatchRecord,
  ids: readonly string[],
  { missing, replies, forget }: Extract<SeenBatch, { kind: "ended" }>,
): Promise<BatchRecord> {
  if (missing.class === "rate_limited" && missing.retryable) {
    await platform.batches.drop(batch.id);
    throw new Postponed(platform.now() + BUSY_MS);
  }
  try {
    const read = await storeReplies(platform, batch, ids, missing, replies());
    await forget();
    return read;
  } catch (error) {
    if (error instanceof Outage) throw error;
    return failed(platform, batch, ids, client.failure(error));
  }
}

/** Treats the requests of an unreadable batch as failed. Throws `Postponed` if polling again may help. */
function failed(
  platform: Platform,
  batch: BatchRecord,
  ids: readonly string[],
  failure: Failure,
): Promise<BatchRecord> {
  if (failure.class === "not_found") return storeReplies(platform, batch, ids, lost);
  if (!failure.retryable) return storeReplies(platform, batch, ids, failure);
  throw later(platform, failure);
}

const later = ({ now }: Platform, { retryAfterMs }: Failure): Postponed =>
  new Postponed(now() + Math.max(retryAfterMs ?? 0, RETRY_MS));

/**
 * Searches for a batch whose submission was not confirmed, because the lane may have died before it recorded the
 * provider's id. Null: the batch never arrived.
 */
async function findAgain(
  platform: Platform,
  client: BatchClient,
  batch: BatchRecord,
): Promise<string | null> {
  const { isFree } = platform.batches;
  const found = await client.find({ ...batch, isFree });
  if (!found.ok) throw later(platform, found.failure);
  if (found.value !== null) await platform.batches.submitted(batch, found.value);
  return found.value;
}

/** Stores the replies of a batch in pieces; requests without one get the failure `missing`. */
async function storeReplies(
  platform: Platform,
  batch: BatchRecord,
  ids: readonly string[],
  missing: Failure,
  replies: AsyncIterable<BatchReply> | null = null,
): Promise<BatchRecord> {
  const left = new Set(ids);
  let piece: BatchReply[] = [];
  let [pieces, characters] = [0, 0];
  const flush = async () => {
    await platform.objects.put(pieceKey(batch, pieces), piece);
    pieces += 1;
    [piece, characters] = [[], 0];
  };
  for await (const reply of replies ?? []) {
    if (!left.delete(reply.id)) continue;
    piece.push(reply);
    characters += JSON.stringify(reply).length;
    if (characters >= PIECE_CHARS) await flush();
  }
  for (const id of left) piece.push({ id, failure: missing });
  await flush();
  await platform.batches.read(batch.id, pieces);
  return { ...batch, pieces };
}

/** The batch client of the run's model, or of a judge; null if its endpoint no longer has batches. */
export const clientOf = (
  platform: Pick<Platform, "judging" | "now">,
  { target }: Pick<RunWork, "target">,
  judge: Route | null,
): BatchClient | null => {
  const endpoint = judge === null ? target : platform.judging.endpointOf(judge);
  return endpoint && batchClient(endpoint, platform.now);
};

/**
 * Submits requests as a batch. The batch is recorded first, so that if the lane dies, the next holder can search for it
 * at the provider. Null if the lane is lost or the run was stopped. If the provider refuses the batch, each of its
 * requests has failed. Throws `Postponed` if the provider accepts none now.
 */
export async function submitBatch(
  platform: Platform,
  lane: BatchLane,
  attempt: number,
  { client, judge, items }: WaitingBatch,
): Promise<BatchRecord | null> {
  const batch: BatchRecord = {
    ...lane,
    id: platform.newId("bat"),
    judge,
    requests: items.length,
    providerId: null,
    pieces: null,
    createdAt: platform.now(),
  };
  const ids = items.map(({ id }) => id);
  await platform.objects.put(askedKey(batch), ids);
  if (!(await platform.batches.begin(batch, attempt))) return null;
  const made = await client.submit({ id: batch.id, items });
  if (made.ok) {
    const status = await platform.batches.submitted(batch, made.value);
    if (status === "running" || status === "paused") return { ...batch, providerId: made.value };
    await client.cancel(made.value);
    return null;
  }
  const { failure } = made;
  // Without a reply it is unknown whether the provider accepted it: the next visit searches for it.
  if (failure.httpStatus === null && failure.retryable) throw later(platform, failure);
  if (!failure.retryable) return storeReplies(platform, batch, ids, failure);
  await platform.batches.drop(batch.id);
  throw later(platform, failure);
}
