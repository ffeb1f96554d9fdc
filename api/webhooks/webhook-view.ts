import type { Delivery, Webhook } from "#shared/contracts/webhook.ts";
import type { DeliveryRecord, WebhookRecord } from "./webhook-ports.ts";

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

/** A webhook as it is shown. */
export function webhookView(webhook: WebhookRecord, now: number): Webhook {
  const { id, owner, url, events, description, status, statusReason, previousUntil } = webhook;
  const signsToo = previousUntil !== null && previousUntil > now;
  return {
    id,
    owner,
    url,
    events,
    description,
    status,
    statusReason,
    failingSince: isoOrNull(webhook.failingSince),
    previousSecretUntil: signsToo ? iso(previousUntil) : null,
    createdAt: iso(webhook.createdAt),
  };
}

/** A delivery as the log shows it. */
export function deliveryView(delivery: DeliveryRecord & { type: string }): Delivery {
  const { eventId: event, type, status, attempts, attemptedAt } = delivery;
  const { responseStatus, durationMs, response, error } = delivery;
  return {
    event,
    type,
    status,
    attempts,
    createdAt: iso(delivery.createdAt),
    nextAttemptAt: status === "pending" ? iso(delivery.nextAttemptAt) : null,
    lastAttempt:
      attemptedAt === null || durationMs === null
        ? null
        : { at: iso(attemptedAt), status: responseStatus, durationMs, response, error },
  };
}
