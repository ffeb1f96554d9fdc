import { Webhook } from "standardwebhooks";
import { ok, type Result } from "#shared/contracts/result.ts";
import { deliveryMessage } from "../platform/messages.ts";
import type { Platform } from "../platform/platform.ts";
import type { WebhookReply } from "../providers/post-webhook.ts";
import type { SealProblem } from "../security/seal.ts";
import { announceWaiting } from "./announce.ts";
import type { Attempt, ClaimedDelivery, DeliveryKey, Patience } from "./delivery-store.ts";
import type { WebhookRecord } from "./schema.ts";

/** An attempt takes some 15 s at the most: one that is silent for so long has died. */
const LOST_MS = 60_000;
/** The longest that a message may be delayed everywhere; the cron job sends what waits longer. */
const DELAY_MAX_MS = 12 * 3_600_000;

const HOUR_MS = 3_600_000;

/** Attempts of one event are at most a day and its jitter apart. */
const patience: Patience = {
  failingMs: 5 * 24 * HOUR_MS,
  gapMs: 30 * HOUR_MS,
  reason: "no delivery was successful for 5 days",
};

/**
 * Sends an event to a webhook where that is due: whichever of two callers comes second does nothing. What fails
 * comes again, by the schedule; a receiver that is gone (410) is not asked any more.
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

/** The same bytes every time; links lead to where the webhook's maker found the service. */
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
 * The headers that say who sends a body and when. After a rotation the secret before signs, too, until its time
 * is over. Source: Standard Webhooks 1.0.0, "Webhook headers".
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

/** A message that is so late was lost, or its wait was too long for one. */
const GRACE_MS = 30_000;
const DELIVERIES = 500;
/** Longer than an event is tried; who looks for one should do so within. */
const KEPT_MS = 14 * 24 * 3_600_000;
const PRUNED = 1_000;

/**
 * Picks up events without deliveries and deliveries that are overdue, and forgets old ones. Any number of
 * these may run at once.
 */
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

/** Waits before the second attempt and each one after it. Source: Standard Webhooks 1.0.0, "Example retry schedule". */
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

/** Attempts that an event has: the first, and one after each wait. */
export const MAX_ATTEMPTS = waitsMs.length + 1;

/** Waits are longer by up to this share, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * When an event is sent again after its `attempts`-th attempt failed, Unix ms: by the schedule, later where the
 * receiver asked for it, within a day. Null after the last. `random` is in [0, 1).
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
