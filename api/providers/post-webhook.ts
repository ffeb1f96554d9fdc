import { Webhook } from "standardwebhooks";
import type { CallRules } from "../security/own-hosts.ts";
import { webhookUrlProblem } from "../security/public-url.ts";
import { retryAfterOf } from "./failure.ts";

/** The Standard Webhooks scheme recommends 15 to 30 s. */
const TIMEOUT_MS = 15_000;
/** Enough to recognise an error page. */
const RESPONSE_BYTES = 500;

export interface WebhookReply {
  /** HTTP status; null: no reply. */
  status: number | null;
  retryAfterMs: number | null;
  durationMs: number;
  /** First bytes of the body. */
  response: string | null;
  /** Why the delivery failed; null if the status tells. */
  error: string | null;
}

export type PostWebhook = ReturnType<typeof webhookPoster>;

/**
 * Posts events to allowed addresses. Follows no redirects, and reads only the first bytes of the reply. Never throws.
 */
export function webhookPoster(rules: CallRules, now: () => number) {
  return async (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<WebhookReply> => {
    const problem = webhookUrlProblem(url, rules);
    if (problem !== null) {
      return failed(0, `this deployment does not call the address: url ${problem}`);
    }
    const startedAt = now();
    try {
      const response = await fetch(url, {
        method: "POST",
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { "content-type": "application/json", "user-agent": "assay", ...headers },
      });
      const durationMs = now() - startedAt;
      const { status } = response;
      return {
        status,
        durationMs,
        error: errorOf(status),
        retryAfterMs: retryAfterOf(response.headers.get("retry-after"), now()),
        response: await firstBytes(response),
      };
    } catch (error) {
      return failed(now() - startedAt, reasonOf(error));
    }
  };
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `a redirect (${status}) is not followed: change the webhook's url to the target of the redirect`
    : `the receiver answered ${status}`;
}

/** The runtime's error may contain the address, which may contain a secret. */
const reasonOf = (error: unknown): string =>
  error instanceof DOMException && error.name === "TimeoutError"
    ? `no answer within ${TIMEOUT_MS / 1000} s`
    : "the connection failed";

const failed = (durationMs: number, error: string): WebhookReply => ({
  status: null,
  retryAfterMs: null,
  durationMs,
  response: null,
  error,
});

/** The beginning of a body; an unreadable body is no failure. */
async function firstBytes(response: Response): Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return null;
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < RESPONSE_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, RESPONSE_BYTES - bytes), { stream: true });
      bytes += value.byteLength;
    }
  } catch {
    // Keep the part that was read.
  }
  await reader.cancel().catch(() => {});
  return text === "" ? null : text;
}

export type SendAlert = ReturnType<typeof alertSender>;

/**
 * Posts alerts to the operator's webhook, signed by Standard Webhooks 1.0.0. Resolves to the reason why it was not
 * sent, or null; never throws.
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
      // Not the error itself, because it may quote the secret.
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
