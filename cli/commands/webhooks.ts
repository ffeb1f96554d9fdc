import { z } from "zod";
import {
  type Delivery,
  deliverySchema,
  type Webhook,
  type WebhookWithSecret,
  webhookSchema,
  webhookWithLogSchema,
  webhookWithSecretSchema,
} from "#shared/contracts/webhook.ts";
import { webhookEventSummaries } from "#shared/contracts/webhook-event.ts";
import { BadInput } from "../bad-input.ts";
import { NotPassed } from "../not-passed.ts";
import { everyPage } from "../remote/every-page.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { testText, webhooksText, webhookText } from "../webhooks/webhooks-text.ts";
import { command, type Terminal } from "./command.ts";

const scope = "submit";
const flags = { ...serviceFlags, json: { type: "boolean" } } as const;
const common = `  ${serverHelp}
  --json            print what the service answers
  --help            show this

Needs a key with the scope submit.
${keyHelp}`;

const events = Object.entries(webhookEventSummaries)
  .map(([type, summary]) => `  ${type.padEnd(20)}${summary}`)
  .join("\n");

/** `assay webhooks create`: events are posted to an address from then on; the secret is shown once. */
export const webhooksCreateCommand = command({
  name: "webhooks create",
  summary: "have events posted to an address; its secret is shown once",
  help: `assay webhooks create --url URL --event EVENT [--event EVENT …] [options]

Has events of your runs posted to an address, signed by the Standard Webhooks scheme, and prints the secret
that they are signed by on standard output. It is shown this once.

  --url URL           where events are posted: https, a public host
  --event EVENT       what to tell; give it once for each
  --description TEXT  what the webhook is for
${common}

Events
${events}

Examples
  assay webhooks create --url https://example.com/hooks/assay --event run.finished --event run.failed`,
  flags: {
    ...flags,
    url: { type: "string" },
    event: { type: "string", multiple: true },
    description: { type: "string" },
  },
  async run(values, positionals, terminal) {
    refuseSurplus(positionals);
    const { url, event, description } = values;
    if (url === undefined || event === undefined) {
      throw new BadInput(
        "--url URL and --event EVENT are needed; assay webhooks create --help lists events",
      );
    }
    const body = { url, events: event, description };
    const { value } = await serviceOf(values, scope).post(
      "/v1/webhooks",
      body,
      webhookWithSecretSchema,
    );
    printSecret(values, value, terminal);
  },
});

/** `assay webhooks list`: one's webhooks. */
export const webhooksListCommand = command({
  name: "webhooks list",
  summary: "list webhooks",
  help: `assay webhooks list [options]

Your webhooks, newest first; with a key that has the scope admin, those of all owners.

${common}`,
  flags,
  async run(values, positionals, { stdout }) {
    refuseSurplus(positionals);
    const service = serviceOf(values, scope);
    const webhooks = await everyPage(service, "/v1/webhooks", "webhooks", webhookSchema);
    stdout.write(values.json ? jsonOf({ webhooks }) : `${webhooksText(webhooks)}\n`);
  },
});

/** `assay webhooks show`: a webhook with its last deliveries. */
export const webhooksShowCommand = command({
  name: "webhooks show",
  summary: "show a webhook and its last deliveries",
  help: `assay webhooks show <id> [options]

A webhook with its last deliveries: what came back, how long it took, and when it is tried again.

${common}`,
  flags,
  async run(values, positionals, { stdout }) {
    const { value } = await serviceOf(values, scope).get(pathOf(positionals), webhookWithLogSchema);
    stdout.write(values.json ? jsonOf(value) : `${webhookText(value)}\n`);
  },
});

/** `assay webhooks test`: sends a test event and says what came of it; exit code 1 where it did not get through. */
export const webhooksTestCommand = command({
  name: "webhooks test",
  summary: "send a test event",
  help: `assay webhooks test <id> [options]

Sends a test event and says what came of it; the exit code is 1 where it did not get through.

${common}`,
  flags,
  async run(values, positionals, { stdout }) {
    const path = `${pathOf(positionals)}/test`;
    const { value } = await serviceOf(values, scope).post<Delivery>(path, {}, deliverySchema);
    stdout.write(values.json ? jsonOf(value) : `${testText(value)}\n`);
    if (value.status !== "delivered") throw new NotPassed(`${value.event} did not get through`);
  },
});

/** `assay webhooks rotate`: another secret; the one before signs, too, for a day. */
export const webhooksRotateCommand = command({
  name: "webhooks rotate",
  summary: "give a webhook another secret, shown once",
  help: `assay webhooks rotate <id> [options]

Gives a webhook another secret and prints it on standard output. It is shown this once. For 24 hours events are
signed by the secret before, too.

${common}`,
  flags,
  async run(values, positionals, terminal) {
    const path = `${pathOf(positionals)}/rotate`;
    const { value } = await serviceOf(values, scope).post(path, {}, webhookWithSecretSchema);
    printSecret(values, value, terminal);
  },
});

const statusCommand = (name: string, summary: string, status: "active" | "paused", said: string) =>
  command({
    name: `webhooks ${name}`,
    summary,
    help: `assay webhooks ${name} <id> [options]

${said}

${common}`,
    flags,
    async run(values, positionals, { stdout }) {
      const path = pathOf(positionals);
      const service = serviceOf(values, scope);
      const { value } = await service.patch<Webhook>(path, { status }, webhookSchema);
      stdout.write(values.json ? jsonOf(value) : `${webhooksText([value])}\n`);
    },
  });

/** `assay webhooks pause`: nothing is sent meanwhile. */
export const webhooksPauseCommand = statusCommand(
  "pause",
  "send nothing to a webhook for now",
  "paused",
  "Sends nothing to a webhook until it is resumed. New events are not kept for it.",
);

/** `assay webhooks resume`: goes on, also where the service disabled it. */
export const webhooksResumeCommand = statusCommand(
  "resume",
  "go on with a webhook that is paused or disabled",
  "active",
  "Goes on with a webhook that is paused, or that was disabled after too many failures.",
);

/** `assay webhooks delete`: with its secret and deliveries. */
export const webhooksDeleteCommand = command({
  name: "webhooks delete",
  summary: "delete a webhook",
  help: `assay webhooks delete <id> [options]

Deletes a webhook with its secret and its deliveries, for good.

${common}`,
  flags,
  async run(values, positionals, { stdout }) {
    const path = pathOf(positionals);
    await serviceOf(values, scope).delete(path, z.undefined());
    stdout.write(
      values.json ? jsonOf({ deleted: positionals[0] }) : `${positionals[0]} is deleted\n`,
    );
  },
});

function printSecret(
  { json }: { json?: boolean | undefined },
  webhook: WebhookWithSecret,
  { stdout, stderr }: Terminal,
): void {
  if (json) return void stdout.write(jsonOf(webhook));
  stderr.write(`webhook ${webhook.id}; its secret, shown this once:\n`);
  stdout.write(`${webhook.secret}\n`);
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function pathOf([id, ...surplus]: readonly string[]): string {
  if (id === undefined) {
    throw new BadInput("name the webhook by its id; assay webhooks list has them");
  }
  refuseSurplus(surplus);
  return `/v1/webhooks/${encodeURIComponent(id)}`;
}

function refuseSurplus([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw new BadInput(`"${surplus}" is too much`);
}
