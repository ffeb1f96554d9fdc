import { Webhook } from "standardwebhooks";
import type { PostWebhook } from "./post-webhook.ts";

export type SendAlert = ReturnType<typeof alertSender>;

/**
 * Posts alerts to the operator's webhook, signed by Standard Webhooks 1.0.0. Resolves to why it was not sent, or null;
 * never throws.
 */
export function alertSender(
  { url, secret }: { url: string; secret: string },
  post: PostWebhook,
  now: () => number,
) {
  return async (id: string, event: object): Promise<string | null> => {
    const body = JSON.stringify(event);
    const sentAt = new Date(now());
    let signature: string;
    try {
      signature = new Webhook(secret).sign(id, sentAt, body);
    } catch {
      // Not the error itself, which may quote the secret.
      return "ALERT_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64";
    }
    const reply = await post(
      url,
      {
        "webhook-id": id,
        "webhook-timestamp": `${Math.floor(sentAt.getTime() / 1_000)}`,
        "webhook-signature": signature,
      },
      body,
    );
    return reply.error;
  };
}
