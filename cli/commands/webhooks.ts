import { z } from "zod";
import {
  type Delivery,
  deliverySchema,
  type Webhook,
  type WebhookWithLog,
  type WebhookWithSecret,
  webhookEventSummaries,
  webhookSchema,
  webhookWithLogSchema,
  webhookWithSecretSchema,
} from "#shared/contracts/schedules/webhook.ts";
import { command, jsonFlag, type Terminal } from "../command-line/command.ts";
import { NotPassed } from "../errors.ts";
import { everyPage } from "../remote/every-page.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { counted, formatCount, formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";

const scope = "submit";
const flags = { ...serviceFlags, json: jsonFlag } as const;
const id = { name: "id", help: "Id of the webhook; assay webhooks list prints the ids" } as const;
const environment = keyVariable;
const notes = ["Needs a key with the scope submit."];

const create = command({
  name: "webhooks create",
  summary: "post events to an address; the secret is shown once",
  description: [
    "Posts events of your runs to an address, signed according to Standard Webhooks, and prints the signing secret to standard output. It is shown only once.",
  ],
  flags: {
    url: { type: "string", value: "URL", required: true, help: "Public https address for events" },
    event: {
      type: "string",
      value: "EVENT",
      required: true,
      multiple: true,
      help: "Event to post",
      choices: Object.keys(webhookEventSummaries),
    },
    description: { type: "string", value: "TEXT", help: "Purpose of the webhook" },
    ...flags,
  },
  environment,
  lists: { Events: webhookEventSummaries },
  notes,
  examples: [
    "assay webhooks create --url https://example.com/hooks/assay --event run.finished --event run.failed",
  ],
  async run(values, _, terminal) {
    const { url, event: events, description } = values;
    const service = serviceOf(values, scope);
    const body = { url, events, description };
    const { value } = await service.post("/v1/webhooks", body, webhookWithSecretSchema);
    printSecret(values, value, terminal);
  },
});

const list = command({
  name: "webhooks list",
  summary: "list webhooks",
  description: [
    "Lists your webhooks, newest first; with a key of scope admin, those of all owners.",
  ],
  flags,
  environment,
  notes,
  async run(values, _, { stdout }) {
    const service = serviceOf(values, scope);
    const webhooks = await everyPage(service, "/v1/webhooks", "webhooks", webhookSchema);
    stdout.write(values.json ? jsonOf({ webhooks }) : `${webhooksText(webhooks)}\n`);
  },
});

const show = command({
  name: "webhooks show",
  summary: "show a webhook and its latest deliveries",
  description: [
    "Shows a webhook with its latest deliveries: the response, its duration and the time of the next retry.",
  ],
  positionals: [id],
  flags,
  environment,
  notes,
  async run(values, [webhookId], { stdout }) {
    const service = serviceOf(values, scope);
    const { value } = await service.get(pathOf(webhookId), webhookWithLogSchema);
    stdout.write(values.json ? jsonOf(value) : `${webhookText(value)}\n`);
  },
});

const test = command({
  name: "webhooks test",
  summary: "send a test event",
  description: ["Sends a test event and prints the response."],
  positionals: [id],
  flags,
  environment,
  exitCodes: { 0: "The event was delivered", 1: "It was not delivered" },
  notes,
  async run(values, [webhookId], { stdout }) {
    const path = `${pathOf(webhookId)}/test`;
    const { value } = await serviceOf(values, scope).post<Delivery>(path, {}, deliverySchema);
    stdout.write(values.json ? jsonOf(value) : `${testText(value)}\n`);
    if (value.status !== "delivered") throw new NotPassed(`${value.event} was not delivered`);
  },
});

const rotate = command({
  name: "webhooks rotate",
  summary: "replace the secret of a webhook; it is shown once",
  description: [
    "Replaces the secret of a webhook and prints the new one to standard output. It is shown only once. For 24 hours events are signed with the old secret, too.",
  ],
  positionals: [id],
  flags,
  environment,
  notes,
  async run(values, [webhookId], terminal) {
    const path = `${pathOf(webhookId)}/rotate`;
    const { value } = await serviceOf(values, scope).post(path, {}, webhookWithSecretSchema);
    printSecret(values, value, terminal);
  },
});

const statusCommand = (
  action: string,
  status: "active" | "paused",
  summary: string,
  description: string,
) =>
  command({
    name: `webhooks ${action}`,
    summary,
    description: [description],
    positionals: [id],
    flags,
    environment,
    notes,
    async run(values, [webhookId], { stdout }) {
      const service = serviceOf(values, scope);
      const { value } = await service.patch<Webhook>(pathOf(webhookId), { status }, webhookSchema);
      stdout.write(values.json ? jsonOf(value) : `${webhooksText([value])}\n`);
    },
  });

const deletion = command({
  name: "webhooks delete",
  summary: "delete a webhook",
  description: ["Deletes a webhook with its secret and its deliveries permanently."],
  positionals: [id],
  flags,
  environment,
  notes,
  async run(values, [webhookId], { stdout }) {
    await serviceOf(values, scope).delete(pathOf(webhookId), z.undefined());
    stdout.write(values.json ? jsonOf({ deleted: webhookId }) : `${webhookId} deleted\n`);
  },
});

/** `assay webhooks`. */
export const webhooksCommands = [
  create,
  list,
  show,
  test,
  rotate,
  statusCommand(
    "pause",
    "paused",
    "pause a webhook",
    "Sends nothing to a webhook until it is resumed. Events in the meantime are not stored for it.",
  ),
  statusCommand(
    "resume",
    "active",
    "resume a paused or disabled webhook",
    "Resumes a webhook that is paused, or that the service disabled after too many failures.",
  ),
  deletion,
];

function printSecret(
  { json }: { json?: boolean | undefined },
  webhook: WebhookWithSecret,
  { stdout, stderr }: Terminal,
): void {
  if (json) return void stdout.write(jsonOf(webhook));
  stderr.write(`webhook ${webhook.id}; its secret, shown only once:\n`);
  stdout.write(`${webhook.secret}\n`);
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const pathOf = (webhookId: string): string => `/v1/webhooks/${encodeURIComponent(webhookId)}`;

const head = ["id", "status", "events", "address", "for"];

/** Webhooks as a table. */
function webhooksText(webhooks: readonly Webhook[]): string {
  if (webhooks.length === 0) return "no webhooks yet; assay webhooks create makes one";
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
function webhookText(webhook: WebhookWithLog): string {
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
  const told = facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const lines = [webhook.id, ...textTable(told, () => true), "", ...deliveryLines(deliveries)];
  return lines.map(printable).join("\n");
}

const deliveryHead = ["event", "type", "status", "tried", "HTTP", "took", "last", "next or why"];
const numbers = [3, 4, 5];

function deliveryLines(deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return ["nothing was sent yet; assay webhooks test sends a test"];
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
function testText(delivery: Delivery): string {
  const { lastAttempt: last } = delivery;
  if (last === null) return printable(`${delivery.event} is on its way; nothing came back yet`);
  const took = formatValue(last.durationMs, "ms");
  const response = last.response === null ? [] : ["it said:", last.response];
  const told =
    last.error === null
      ? `${delivery.event} was received: HTTP ${last.status} after ${took}`
      : `${delivery.event} did not get through after ${took}: ${last.error}`;
  return [told, ...response].map(printable).join("\n");
}

/** To the second, as 2026-11-22 12:00:00. */
const timeOf = (time: string | null): string | null =>
  time === null ? null : time.slice(0, "2026-11-22T12:00:00".length).replace("T", " ");
