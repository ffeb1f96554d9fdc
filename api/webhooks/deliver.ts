import { Webhook } from "standardwebhooks";
import { ok, type Result } from "#shared/contracts/result.ts";
import { deliveryMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import type { WebhookReply } from "../providers/post-webhook.ts";
import type { SealProblem } from "../security/seal.ts";
import { announceWaiting } from "./announce.ts";
import type { Attempt, ClaimedDelivery, DeliveryKey, Patience } from "./delivery-store.ts";
import type { WebhookRecord } from "./schema.ts";

/** An attempt takes at most about 15 s: after this time it is assumed to have crashed. */
const LOST_MS = 60_000;
/** Longest message delay that all platforms allow; the cron job sends later deliveries. */
const DELAY_MAX_MS = 12 * 3_600_000;

const HOUR_MS = 3_600_000;

/** Attempts of one event are at most a day plus jitter apart. */
const patience: Patience = {
  failingMs: 5 * 24 * HOUR_MS,
  gapMs: 30 * HOUR_MS,
  reason: "no delivery was successful for 5 days",
};

/**
 * Sends an event to a webhook if it is due; of two concurrent callers, one does. Failures are retried by the schedule,
 * except if the receiver is gone (410).
 */
export async function deliver(platform: Platform, key: DeliveryKey): Promise<void> {
  const now = platform.now();
  const claimed = await platform.deliveries.claim(key, now, now + LOST_MS);
  if (claimed === null) return;
  const attempt = await attemptOf(platform, claimed);
  await platform.deliveries.settle(claimed, attempt, platform.now(), patience);
  const waitMs = attempt.nextAttemptAt - platform.now();
  if (attempt.status !== "pending" || waitMs > DELAY_MAX_MS) return;
  await platform.queues.deliveries([deliveryMessage(key)], Math.ceil(Math.max(0, waitMs) / 1000));
}

async function attemptOf(platform: Platform, claimed: ClaimedDelivery): Promise<Attempt> {
  const { delivery, event, webhook } = claimed;
  if (delivery.attempts > MAX_ATTEMPTS) return unsent("the service failed repeatedly on it");
  const body = bodyOf(claimed);
  const headers = await signedHeaders(platform, webhook, event.id, body, platform.now());
  if (!headers.ok) return { ...unsent(noSecret), disables: noSecret };
  const reply = await platform.postWebhook(webhook.url, headers.value, body);
  return judged(platform, claimed, reply);
}

const noSecret =
  "its secret can't be decrypted, because the deployment's key was replaced: rotate it, then set the webhook active";

const unsent = (error: string): Attempt => ({
  status: "failed",
  nextAttemptAt: 0,
  responseStatus: null,
  durationMs: 0,
  response: null,
  error,
  disables: null,
});

/** Deterministic, so that retries send equal bytes. Links use the origin where the webhook was created. */
function bodyOf({ event, webhook }: ClaimedDelivery): string {
  const data = (event.data ?? {}) as { links?: Record<string, string | null> };
  const links = Object.entries(data.links ?? {}).map(([name, path]) => [
    name,
    path === null ? null : new URL(path, webhook.origin).href,
  ]);
  return JSON.stringify({
    type: event.type,
    timestamp: new Date(event.occurredAt).toISOString(),
    data: data.links === undefined ? data : { ...data, links: Object.fromEntries(links) },
  });
}

function judged(
  platform: Platform,
  { delivery, event }: ClaimedDelivery,
  reply: WebhookReply,
): Attempt {
  const { status, durationMs, response, error } = reply;
  const seen = { responseStatus: status, durationMs, response, error };
  if (error === null) return { ...seen, status: "delivered", nextAttemptAt: 0, disables: null };
  const isGone = status === 410;
  const isTest = event.type === "webhook.test";
  const random = (platform.randomBytes(1)[0] ?? 0) / 256;
  const next =
    isGone || isTest
      ? null
      : nextAttemptAt(delivery.attempts, platform.now(), reply.retryAfterMs, random);
  return {
    ...seen,
    status: next === null ? "failed" : "pending",
    nextAttemptAt: next ?? 0,
    disables: isGone ? "the receiver answered 410 (no more events)" : null,
  };
}

/**
 * Headers that identify sender and time of a body. After a rotation the previous secret signs, too, until it expires.
 */
async function signedHeaders(
  platform: Pick<Platform, "sealer">,
  webhook: WebhookRecord,
  event: string,
  body: string,
  now: number,
): Promise<Result<Record<string, string>, SealProblem>> {
  const newest = await platform.sealer.open(webhook.id, webhook.sealedSecret);
  if (!newest.ok) return newest;
  const { previousSecret, previousUntil } = webhook;
  const isPast = previousSecret === null || (previousUntil ?? 0) <= now;
  const before = isPast ? null : await platform.sealer.open(webhook.id, previousSecret);
  const secrets = [newest.value, ...(before?.ok ? [before.value] : [])];
  const sentAt = new Date(now);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event, sentAt, body));
  return ok({
    "webhook-id": event,
    "webhook-timestamp": `${Math.floor(now / 1000)}`,
    "webhook-signature": signatures.join(" "),
  });
}

/** After this delay, a delivery lost its message, or its delay was too long for a message. */
const GRACE_MS = 30_000;
const DELIVERIES = 500;
/** Longer than an event is retried; the log no longer shows older events. */
const KEPT_MS = 14 * 24 * 3_600_000;
const PRUNED = 1_000;

/** Handles events without deliveries and overdue deliveries, and deletes old events. May run concurrently. */
export async function resendDeliveries(platform: Platform): Promise<void> {
  const now = platform.now();
  await platform.webhooks.endWithKeys(now);
  await announceWaiting(platform);
  const due = await platform.deliveries.due(now - GRACE_MS, DELIVERIES);
  if (due.length > 0) await platform.queues.deliveries(due.map(deliveryMessage));
  await platform.deliveries.prune(now - KEPT_MS, PRUNED);
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Delay before each attempt from the second on.
 * Source: Standard Webhooks 1.0.0, "Example retry schedule".
 */
const waitsMs: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Maximum attempts per event: the first, and one after each delay. */
export const MAX_ATTEMPTS = waitsMs.length + 1;

/** Delays are extended by up to this share, so that events that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Time of the next attempt after the `attempts`-th failed, Unix ms: by the schedule, or later if the receiver asked for
 * it, within a day. Null after the last. `random` is in [0, 1).
 * @example nextAttemptAt(1, 0, null, 0) // 5000
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  const waitMs = waitsMs[attempts - 1];
  if (waitMs === undefined) return null;
  const askedMs = Math.min(DAY_MS, retryAfterMs ?? 0);
  return now + Math.round(Math.max(askedMs, waitMs) * (1 + JITTER * random));
}
