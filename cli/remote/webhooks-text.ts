import { counted } from "#shared/contracts/text/counted.ts";
import type { Delivery, Webhook, WebhookWithLog } from "#shared/contracts/webhooks/webhook.ts";
import { formatCount, formatValue, printable, textTable } from "../terminal/text.ts";

const head = ["id", "status", "events", "address", "for"];
const deliveryHead = ["event", "type", "status", "tried", "HTTP", "took", "last", "next or why"];
/** Numeric columns in the table of deliveries. */
const numbers = [3, 4, 5];

/** Webhooks as a table. */
export function webhooksText(webhooks: readonly Webhook[]): string {
  if (webhooks.length === 0) return "no webhooks yet; assay webhooks create adds one";
  const rows = webhooks.map(({ id, status, events, url, description }) => [
    id,
    status,
    events.join(", "),
    url,
    description,
  ]);
  return textTable([head, ...rows], () => true)
    .map(printable)
    .join("\n");
}

/** A webhook with its last deliveries. */
export function webhookText(webhook: WebhookWithLog): string {
  const { deliveries } = webhook;
  const facts: [string, string | null][] = [
    ["address", webhook.url],
    ["for", webhook.description || null],
    ["owner", webhook.owner],
    ["events", webhook.events.join(", ")],
    ["status", [webhook.status, webhook.statusReason].filter(Boolean).join(": ")],
    ["failing since", timeOf(webhook.failingSince)],
    ["old secret until", timeOf(webhook.previousSecretUntil)],
    ["created", timeOf(webhook.createdAt)],
  ];
  const rows = facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const lines = [webhook.id, ...textTable(rows, () => true), "", ...deliveryLines(deliveries)];
  return lines.map(printable).join("\n");
}

/** A time to the second, such as 2026-11-22 12:00:00. */
const timeOf = (time: string | null): string | null =>
  time === null ? null : time.slice(0, "2026-11-22T12:00:00".length).replace("T", " ");

function deliveryLines(deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0)
    return ["nothing has been sent yet; assay webhooks test sends a test"];
  const rows = deliveries.map((delivery) => {
    const { event, type, status, attempts, lastAttempt: last, nextAttemptAt } = delivery;
    return [
      event,
      type,
      status,
      formatCount(attempts),
      `${last?.status ?? "–"}`,
      last === null ? "–" : formatValue(last.durationMs, "ms"),
      timeOf(last?.at ?? null) ?? "–",
      nextAttemptAt === null ? (last?.error ?? "") : `again at ${timeOf(nextAttemptAt)}`,
    ];
  });
  const table = textTable([deliveryHead, ...rows], (column) => !numbers.includes(column));
  return [`last ${counted(deliveries.length, "event")}, times in UTC`, ...table];
}

/** Outcome of a test delivery. */
export function testDeliveryText(delivery: Delivery): string {
  const { lastAttempt: last } = delivery;
  if (last === null) return printable(`${delivery.event} was sent; there is no response yet`);
  const took = formatValue(last.durationMs, "ms");
  const response = last.response === null ? [] : ["response:", last.response];
  const outcome =
    last.error === null
      ? `${delivery.event} was received: HTTP ${last.status} after ${took}`
      : `${delivery.event} was not delivered after ${took}: ${last.error}`;
  return [outcome, ...response].map(printable).join("\n");
}
