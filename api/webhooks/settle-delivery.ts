import type { Attempt, ClaimedDelivery, Patience } from "./webhook-ports.ts";

/** An attempt that was taken for lost meanwhile, and was made again, settles nothing. */
const SETTLE = `
  UPDATE webhook_deliveries SET status = ?4, next_attempt_at = ?5, response_status = ?6,
    duration_ms = ?7, response = ?8, error = ?9
  WHERE webhook_id = ?1 AND event_id = ?2 AND attempts = ?3 AND status = 'pending'`;

const GOT_THROUGH = `
  UPDATE webhooks SET failing_since = NULL, failed_at = NULL WHERE id = ?1 AND failed_at IS NOT NULL`;

/** Parameters: ?2 now, ?3 the longest gap between failures that are one row. */
const FAILED = `
  UPDATE webhooks SET failing_since = CASE WHEN failed_at > ?2 - ?3 THEN failing_since ELSE ?2 END,
    failed_at = ?2 WHERE id = ?1`;

const OUT_OF_PATIENCE = `
  UPDATE webhooks SET status = 'disabled', status_reason = ?3
  WHERE id = ?1 AND status = 'active' AND failing_since <= ?2`;

const DISABLE = `
  UPDATE webhooks SET status = 'disabled', status_reason = ?2 WHERE id = ?1 AND status = 'active'`;

const GIVE_UP = `
  UPDATE webhook_deliveries SET status = 'failed', error = coalesce(error, 'the webhook was disabled')
  WHERE webhook_id = ?1 AND status = 'pending'
    AND EXISTS (SELECT 1 FROM webhooks WHERE id = ?1 AND status = 'disabled')`;

/** Writes what became of an attempt, and what that says of the webhook; a test says nothing of it. */
export async function settleDelivery(
  d1: D1Database,
  { delivery, event, webhook: { id } }: ClaimedDelivery,
  attempt: Attempt,
  now: number,
  patience: Patience,
): Promise<void> {
  const { status, nextAttemptAt, responseStatus, durationMs, response, error } = attempt;
  const settle = d1
    .prepare(SETTLE)
    .bind(
      id,
      event.id,
      delivery.attempts,
      status,
      nextAttemptAt,
      responseStatus,
      durationMs,
      response,
      error,
    );
  await d1.batch([settle, ...(event.type === "webhook.test" ? [] : ofWebhook())]);

  function ofWebhook(): D1PreparedStatement[] {
    if (status === "delivered") return [d1.prepare(GOT_THROUGH).bind(id)];
    const { failingMs, gapMs, reason } = patience;
    return [
      d1.prepare(FAILED).bind(id, now, gapMs),
      attempt.disables === null
        ? d1.prepare(OUT_OF_PATIENCE).bind(id, now - failingMs, reason)
        : d1.prepare(DISABLE).bind(id, attempt.disables),
      d1.prepare(GIVE_UP).bind(id),
    ];
  }
}
