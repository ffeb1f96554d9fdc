import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type {
  Delivery,
  EventData,
  NewWebhook,
  Webhook,
  WebhookChange,
} from "#shared/contracts/webhooks/webhook.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import type { ListPage } from "../platform/sql.ts";
import { webhookUrlProblem } from "../security/public-url.ts";
import { deliver } from "./deliver.ts";
import type { DeliveryRecord, WebhookRecord } from "./schema.ts";

/** Maximum webhooks of an owner: every event is sent to each of them. */
const MAX_WEBHOOKS = 20;
/** 256 bits: symmetric secrets of the scheme have 24 to 64 bytes. */
const SECRET_BYTES = 32;
/** How long the previous secret also signs after a rotation. */
const OVERLAP_MS = 24 * 3_600_000;

/** Number of deliveries shown for a webhook. */
const LOG_LENGTH = 50;

export type WebhookRefusal =
  | { type: "not-found" | "conflict" | "forbidden"; detail: string }
  | { type: "invalid-request"; detail: string; errors: FieldError[] };

export interface Revealed {
  webhook: WebhookRecord;
  secret: string;
}

/** Creates a webhook of the account. `origin`: address of the service as the caller knows it. */
export async function createWebhook(
  platform: Platform,
  account: Account,
  { url, events, description }: NewWebhook,
  origin: string,
): Promise<Result<Revealed, WebhookRefusal>> {
  const refused = urlRefusal(platform, url);
  if (refused !== null) return err(refused);
  const bar = keyBar(account, account.owner);
  if (bar !== null) return err(bar);
  const id = platform.newId("wh");
  const secret = newSecret(platform);
  const webhook: WebhookRecord = {
    id,
    owner: account.owner,
    keyId: account.keyId,
    url,
    description,
    origin,
    events: [...new Set(events)],
    sealedSecret: await platform.sealer.seal(id, secret),
    previousSecret: null,
    previousUntil: null,
    status: "active",
    statusReason: null,
    failingSince: null,
    failedAt: null,
    createdAt: platform.now(),
  };
  if (await platform.webhooks.insert(webhook, MAX_WEBHOOKS)) return ok({ webhook, secret });
  const detail = `"${account.owner}" has ${MAX_WEBHOOKS} webhooks, which is the maximum: delete one, or change one with PATCH /v1/webhooks/{id}`;
  return err({ type: "conflict", detail });
}

/**
 * Why a session can't create, activate or re-address a webhook of an organisation; null if it can. A webhook ends with
 * its key, and keys of an organisation end with their maker's membership.
 */
function keyBar({ keyId, person = "" }: Account, owner: string): WebhookRefusal | null {
  if (keyId !== null || person === "" || person === owner) return null;
  const detail = `webhooks of "${owner}" are made, set active and given an address with one of its API keys, so that they end with it: make a key first`;
  return { type: "forbidden", detail };
}

/** Webhooks that an account may see: its own; admins see all. */
export const webhooksOf = (
  platform: Platform,
  account: Account,
  page: ListPage,
): Promise<WebhookRecord[]> =>
  platform.webhooks.list(account.scopes.includes("admin") ? null : account.owner, page);

/** A webhook of the account; for others it does not exist. */
export async function ownedWebhook(
  platform: Platform,
  account: Account,
  id: string,
): Promise<Result<WebhookRecord, WebhookRefusal>> {
  const webhook = await platform.webhooks.get(id);
  const isOwn = webhook?.owner === account.owner || account.scopes.includes("admin");
  return webhook !== null && isOwn ? ok(webhook) : err(notFound(id));
}

/**
 * Changes a webhook. Activating it clears the reason why it was disabled. An owner who changes its address or activates
 * it binds it to the API key of the request.
 */
export async function changeWebhook(
  platform: Platform,
  account: Account,
  webhook: WebhookRecord,
  change: WebhookChange,
): Promise<Result<WebhookRecord, WebhookRefusal>> {
  const refused = change.url === undefined ? null : urlRefusal(platform, change.url);
  if (refused !== null) return err(refused);
  const { url, events, description, status } = change;
  const isReactivated = url !== undefined || status === "active";
  // If an admin of the service changes it for its owner, it stays bound to the owner's key.
  const { id, owner } = webhook;
  const isOwn = account.owner === owner;
  if (isReactivated && !isOwn && (await hasLostKey(platform, webhook))) {
    const detail = `the API key of this webhook has ended: "${owner}" sets it active with another`;
    return err({ type: "forbidden", detail });
  }
  const bar = isReactivated && isOwn ? keyBar(account, owner) : null;
  if (bar !== null) return err(bar);
  const changed = await platform.webhooks.change(id, {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(description !== undefined && { description }),
    ...(status !== undefined && { status, statusReason: null }),
    ...(isReactivated && isOwn && { keyId: account.keyId }),
    ...(isReactivated && { failingSince: null, failedAt: null }),
  });
  return changed === null ? err(notFound(id)) : ok(changed);
}

/** Gives a webhook a new secret; the previous one also signs for a day. */
export async function rotateSecret(
  platform: Platform,
  webhook: WebhookRecord,
): Promise<Result<Revealed, WebhookRefusal>> {
  const secret = newSecret(platform);
  const sealed = await platform.sealer.seal(webhook.id, secret);
  const rotated = await platform.webhooks.rotate(webhook, sealed, platform.now() + OVERLAP_MS);
  if (rotated !== null) return ok({ webhook: rotated, secret });
  const detail = `the secret of webhook "${webhook.id}" was just rotated by another request: use that secret, or rotate it again`;
  return err({ type: "conflict", detail });
}

/**
 * Sends a test event at once and returns the outcome, without retries. Null if the webhook was deleted or its API key
 * is invalid.
 */
export async function testWebhook(
  platform: Platform,
  webhook: WebhookRecord,
): Promise<Delivery | null> {
  if (await hasLostKey(platform, webhook)) return null;
  const event = platform.newId("evt");
  const message = "This is a test: a webhook of Assay reaches you, and its signature is right.";
  const data: EventData<"webhook.test"> = { webhook: webhook.id, message };
  await platform.deliveries.recordFor(webhook.id, {
    id: event,
    type: "webhook.test",
    owner: webhook.owner,
    subject: webhook.id,
    data,
    occurredAt: platform.now(),
  });
  await deliver(platform, { webhook: webhook.id, event });
  const made = (await deliveryLog(platform, webhook)).find((delivery) => delivery.event === event);
  return made ?? null;
}

async function hasLostKey(platform: Platform, { keyId }: WebhookRecord): Promise<boolean> {
  if (keyId === null) return false;
  const key = await platform.apiKeys.byId(keyId);
  if (key === null || key.revokedAt !== null) return true;
  return key.expiresAt !== null && key.expiresAt <= platform.now();
}

/** The latest deliveries to a webhook, newest first. */
export async function deliveryLog(platform: Platform, { id }: WebhookRecord): Promise<Delivery[]> {
  return (await platform.deliveries.log(id, LOG_LENGTH)).map(deliveryView);
}

function urlRefusal({ settings }: Platform, url: string): WebhookRefusal | null {
  const problem = webhookUrlProblem(url, settings);
  if (problem === null) return null;
  const detail = "nothing was done: 1 part of the request is invalid";
  return { type: "invalid-request", detail, errors: [{ pointer: "/url", detail: problem }] };
}

const notFound = (id: string) => ({
  type: "not-found" as const,
  detail: `you have no webhook "${id}"; GET /v1/webhooks lists yours`,
});

const newSecret = (platform: Platform): string =>
  `whsec_${btoa(String.fromCharCode(...platform.randomBytes(SECRET_BYTES)))}`;

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

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

function deliveryView(delivery: DeliveryRecord & { type: string }): Delivery {
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
