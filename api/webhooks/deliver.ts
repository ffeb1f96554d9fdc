import { deliveryMessage } from "../platform/messages.ts";
import type { Ports } from "../platform/ports.ts";
import { MAX_ATTEMPTS, nextAttemptAt } from "./next-attempt.ts";
import { signedHeaders } from "./signed-headers.ts";
import type {
  Attempt,
  ClaimedDelivery,
  DeliveryKey,
  Patience,
  WebhookReply,
} from "./webhook-ports.ts";

/** An attempt takes some 15 s at the most: one that is silent for so long has died. */
const LOST_MS = 60_000;
/** The longest that a message may be delayed everywhere; the sweep sends what waits longer. */
const DELAY_MAX_MS = 12 * 3_600_000;

const HOUR_MS = 3_600_000;

/** Attempts of one event are at most a day and its jitter apart. */
const patience: Patience = {
  failingMs: 5 * 24 * HOUR_MS,
  gapMs: 30 * HOUR_MS,
  reason: "no delivery got through for 5 days",
};

/**
 * Sends an event to a webhook where that is due: whichever of two callers comes second does nothing. What fails
 * comes again, by the schedule; a receiver that is gone (410) is not asked any more.
 */
export async function deliver(ports: Ports, key: DeliveryKey): Promise<void> {
  const now = ports.now();
  const claimed = await ports.deliveries.claim(key, now, now + LOST_MS);
  if (claimed === null) return;
  const attempt = await attemptOf(ports, claimed);
  await ports.deliveries.settle(claimed, attempt, ports.now(), patience);
  const waitMs = attempt.nextAttemptAt - ports.now();
  if (attempt.status !== "pending" || waitMs > DELAY_MAX_MS) return;
  await ports.queues.deliveries([deliveryMessage(key)], Math.ceil(Math.max(0, waitMs) / 1000));
}

async function attemptOf(ports: Ports, claimed: ClaimedDelivery): Promise<Attempt> {
  const { delivery, event, webhook } = claimed;
  if (delivery.attempts > MAX_ATTEMPTS) return unsent("the service failed again and again on it");
  const body = bodyOf(claimed);
  const headers = await signedHeaders(ports, webhook, event.id, body, ports.now());
  if (!headers.ok) return { ...unsent(noSecret), disables: noSecret };
  const reply = await ports.postWebhook(webhook.url, headers.value, body);
  return judged(ports, claimed, reply);
}

const noSecret =
  "its secret can't be read any more, since the deployment's key was replaced: rotate it, then set the webhook active";

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

function judged(ports: Ports, { delivery, event }: ClaimedDelivery, reply: WebhookReply): Attempt {
  const { status, durationMs, response, error } = reply;
  const seen = { responseStatus: status, durationMs, response, error };
  if (error === null) return { ...seen, status: "delivered", nextAttemptAt: 0, disables: null };
  const isGone = status === 410;
  const isTest = event.type === "webhook.test";
  const random = (ports.randomBytes(1)[0] ?? 0) / 256;
  const next =
    isGone || isTest
      ? null
      : nextAttemptAt(delivery.attempts, ports.now(), reply.retryAfterMs, random);
  return {
    ...seen,
    status: next === null ? "failed" : "pending",
    nextAttemptAt: next ?? 0,
    disables: isGone ? "the receiver answered 410: it wants no more events" : null,
  };
}
