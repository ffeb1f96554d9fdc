import type { DeliveryMessage } from "../../../api/platform/messages.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { WebhookReply } from "../../../api/providers/post-webhook.ts";
import { createWebhook } from "../../../api/webhooks/service.ts";
import type { WebhookEventType } from "../../../shared/contracts/webhooks/webhook.ts";
import {
  anAccount,
  deliver,
  harness,
  type Mail,
  relayDataset,
  submitRun,
  workOff,
} from "./harness.ts";

/** A request that the receiver got. */
export interface Received {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export const fine: WebhookReply = {
  status: 204,
  retryAfterMs: null,
  durationMs: 12,
  response: null,
  error: null,
};
export const broken = (status: number, more: Partial<WebhookReply> = {}): WebhookReply => ({
  ...fine,
  status,
  response: "no",
  error: `the receiver answered ${status}`,
  ...more,
});

/** A service with a manual clock, and a receiver that answers with `answer`. */
export function hookedService(overrides: (platform: Platform) => Partial<Platform> = () => ({})) {
  const state = { clock: Date.parse("2026-11-22T12:00:00Z"), answer: () => fine };
  const received: Received[] = [];
  const delays: number[] = [];
  const rig = harness({
    now: () => state.clock,
    postWebhook: async (url, headers, body) => {
      received.push({ url, headers, body });
      return state.answer();
    },
  });
  const { platform } = rig;
  const mail: Mail = rig.mail;
  const { queues } = platform;
  platform.queues = {
    ...queues,
    deliveries: async (messages, delaySeconds = 0) => {
      delays.push(delaySeconds);
      await queues.deliveries(messages);
    },
  };
  Object.assign(platform, overrides({ ...platform }));
  return {
    ...rig,
    mail,
    state,
    received,
    delays,
    /** Creates a webhook for some events, and returns its id and secret. */
    async hook(...events: WebhookEventType[]) {
      const wanted = { url: "https://example.com/hook?team=a", events, description: "" };
      const created = await createWebhook(
        platform,
        anAccount("acme"),
        wanted,
        "https://assay.test",
      );
      if (!created.ok) throw new Error(created.error.detail);
      return { id: created.value.webhook.id, secret: created.value.secret };
    },
    run: async (more: object = {}) => submitRun(platform, await relayDataset(platform, 3), more),
    /** Delivers all messages of runs, and keeps those for webhooks. */
    workOff: () => workOff(platform, mail),
    send: (message: DeliveryMessage | undefined) => deliver(platform, "webhooks", message),
  };
}

/**
 * The signature of a webhook according to its definition: base64 of the HMAC-SHA256 of `id.timestamp.body`, keyed by the
 * bytes after `whsec_`. Source: Standard Webhooks 1.0.0, "Signature scheme".
 */
export async function referenceSignature(
  secret: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace("whsec_", "")), (c) => c.charCodeAt(0));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}
