import { z } from "zod";
import {
  type Delivery,
  deliverySchema,
  type WebhookWithSecret,
  webhookEventSummaries,
  webhookSchema,
  webhookWithLogSchema,
  webhookWithSecretSchema,
} from "#shared/contracts/webhooks/webhook.ts";
import { command, jsonFlag, type Terminal, valueFlag } from "../command-line/command.ts";
import { NotPassed } from "../errors.ts";
import { everyPage } from "../remote/service-client.ts";
import { keyVariable, serviceCommand, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { testDeliveryText, webhooksText, webhookText } from "../remote/webhooks-text.ts";

const scope = "submit";
const secret = jsonFlag(webhookWithSecretSchema);
const delivered = jsonFlag(deliverySchema);
const shared = {
  environment: keyVariable,
  notes: ["Needs a key with the scope submit."],
};
/** Common parts of commands on one webhook. */
const ofOne = {
  ...shared,
  positionals: [{ name: "id", help: "Id of the webhook; assay webhooks list prints the ids" }],
} as const;

const create = command({
  name: "webhooks create",
  summary: "post events to an address; the secret is shown once",
  description: [
    "Posts events of your runs to an address, signed according to Standard Webhooks, and prints the signing secret to standard output. It is shown only once.",
  ],
  flags: {
    url: valueFlag("URL", "Public https address for events", { required: true }),
    event: valueFlag("EVENT", "Event to post", {
      required: true,
      multiple: true,
      choices: Object.keys(webhookEventSummaries),
    }),
    description: valueFlag("TEXT", "Purpose of the webhook"),
    ...serviceFlags,
    json: secret,
  },
  ...shared,
  lists: { Events: webhookEventSummaries },
  examples: [
    "assay webhooks create --url https://example.com/hooks/assay --event run.finished --event run.failed",
  ],
  async run(values, _, terminal) {
    const { url, event: events, description } = values;
    const service = serviceOf(values, scope);
    const body = { url, events, description };
    const value = await service.post("/v1/webhooks", body, webhookWithSecretSchema);
    printSecret(values, value, terminal);
  },
});

const list = serviceCommand({
  name: "webhooks list",
  summary: "list webhooks",
  description: [
    "Lists your webhooks, newest first; with a key with the scope admin, the webhooks of all owners.",
  ],
  ...shared,
  scope,
  result: z.object({ webhooks: z.array(webhookSchema) }),
  call: async (service) => ({
    webhooks: await everyPage(service, "/v1/webhooks", "webhooks", webhookSchema),
  }),
  text: ({ webhooks }) => webhooksText(webhooks),
});

const show = serviceCommand({
  name: "webhooks show",
  summary: "show a webhook and its latest deliveries",
  description: [
    "Shows a webhook with its latest deliveries: the response, its duration and the time of the next retry.",
  ],
  ...ofOne,
  scope,
  result: webhookWithLogSchema,
  call: (service, _, [webhookId]) => service.get(pathOf(webhookId), webhookWithLogSchema),
  text: webhookText,
});

const test = command({
  name: "webhooks test",
  summary: "send a test event",
  description: ["Sends a test event and prints the response."],
  ...ofOne,
  flags: { ...serviceFlags, json: delivered },
  exitCodes: { 0: "The event was delivered", 1: "The event was not delivered" },
  async run(values, [webhookId], { stdout }) {
    const path = `${pathOf(webhookId)}/test`;
    const value = await serviceOf(values, scope).post<Delivery>(path, {}, deliverySchema);
    stdout.write(`${values.json ? delivered.text(value) : testDeliveryText(value)}\n`);
    if (value.status !== "delivered") throw new NotPassed(`${value.event} was not delivered`);
  },
});

const rotate = command({
  name: "webhooks rotate",
  summary: "replace the secret of a webhook; it is shown once",
  description: [
    "Replaces the secret of a webhook and prints the new one to standard output. It is shown only once. For 24 hours events are signed with the old secret, too.",
  ],
  ...ofOne,
  flags: { ...serviceFlags, json: secret },
  async run(values, [webhookId], terminal) {
    const path = `${pathOf(webhookId)}/rotate`;
    const value = await serviceOf(values, scope).post(path, {}, webhookWithSecretSchema);
    printSecret(values, value, terminal);
  },
});

const statusCommand = (
  action: string,
  status: "active" | "paused",
  summary: string,
  description: string,
) =>
  serviceCommand({
    name: `webhooks ${action}`,
    summary,
    description: [description],
    ...ofOne,
    scope,
    result: webhookSchema,
    call: (service, _, [webhookId]) => service.patch(pathOf(webhookId), { status }, webhookSchema),
    text: (webhook) => webhooksText([webhook]),
  });

const remove = serviceCommand({
  name: "webhooks delete",
  summary: "delete a webhook",
  description: ["Deletes a webhook with its secret and its deliveries permanently."],
  ...ofOne,
  scope,
  result: z.object({ deleted: z.string() }),
  async call(service, _, [webhookId]) {
    await service.delete(pathOf(webhookId), z.undefined());
    return { deleted: webhookId };
  },
  text: ({ deleted }) => `${deleted} deleted`,
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
  remove,
];

function printSecret(
  { json }: { json?: boolean | undefined },
  webhook: WebhookWithSecret,
  { stdout, stderr }: Terminal,
): void {
  if (json) return void stdout.write(`${secret.text(webhook)}\n`);
  stderr.write(`webhook ${webhook.id}; its secret, shown only once:\n`);
  stdout.write(`${webhook.secret}\n`);
}

const pathOf = (webhookId: string): string => `/v1/webhooks/${encodeURIComponent(webhookId)}`;
