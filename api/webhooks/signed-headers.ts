import { Webhook } from "standardwebhooks";
import { ok, type Result } from "#shared/contracts/result.ts";
import type { Ports, SealProblem } from "../platform/ports.ts";
import type { WebhookRecord } from "./webhook-ports.ts";

/**
 * The headers that say who sends a body and when. After a rotation the secret before signs, too, until its time
 * is over. Source: Standard Webhooks 1.0.0, "Webhook headers".
 */
export async function signedHeaders(
  ports: Pick<Ports, "sealer">,
  webhook: WebhookRecord,
  event: string,
  body: string,
  now: number,
): Promise<Result<Record<string, string>, SealProblem>> {
  const newest = await ports.sealer.open(webhook.id, webhook.sealedSecret);
  if (!newest.ok) return newest;
  const { previousSecret, previousUntil } = webhook;
  const isPast = previousSecret === null || (previousUntil ?? 0) <= now;
  const before = isPast ? null : await ports.sealer.open(webhook.id, previousSecret);
  const secrets = [newest.value, ...(before?.ok ? [before.value] : [])];
  const sentAt = new Date(now);
  const signatures = secrets.map((secret) => new Webhook(secret).sign(event, sentAt, body));
  return ok({
    "webhook-id": event,
    "webhook-timestamp": `${Math.floor(now / 1000)}`,
    "webhook-signature": signatures.join(" "),
  });
}
