import { z } from "zod";
import {
  type ApiKey,
  apiKeySchema,
  createdApiKeySchema,
  givenScopeSchema,
} from "#shared/contracts/keys/api-key.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { everyPage } from "../remote/service-client.ts";
import { keyVariable, serviceCommand, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { formatCount, printable, textTable } from "../terminal/text.ts";

const reason = valueFlag("TEXT", "Reason, for the audit log");
const created = jsonFlag(createdApiKeySchema);
const notes = ["Needs a key with the scope admin, such as OPERATOR_SECRET of the deployment."];

const head = ["id", "owner", "name", "scopes", "created", "expires", "last used", "samples a day"];

const create = command({
  name: "keys create",
  summary: "create an API key, which is shown once",
  description: [
    "Creates an API key and prints it to standard output. It is shown only once; the service stores its hash.",
  ],
  flags: {
    owner: valueFlag(
      "OWNER",
      "Owner of the runs and datasets made with it: letters, digits, dots, dashes and underscores",
      { required: true },
    ),
    name: valueFlag("NAME", "Purpose of the key", { required: true }),
    scope: valueFlag("SCOPE", "What the key allows", {
      multiple: true,
      choices: givenScopeSchema.options,
      default: "submit",
    }),
    expires: valueFlag("TIME", "Expiry, such as 2027-01-31T00:00:00Z", { default: "never" }),
    "daily-samples": valueFlag("N", "Daily limit of samples × repeats", {
      default: "the service's limit",
    }),
    reason,
    ...serviceFlags,
    json: created,
  },
  environment: keyVariable,
  notes,
  examples: ['assay keys create --owner acme --name "nightly job" --expires 2027-01-31T00:00:00Z'],
  async run(values, _, { stdout, stderr }) {
    const { owner, name, scope: scopes, expires: expiresAt, "daily-samples": daily } = values;
    if (daily !== undefined && !/^[1-9]\d*$/.test(daily)) {
      throw new BadInput(`--daily-samples must be a whole number from 1, not "${daily}"`);
    }
    const dailySamples = daily === undefined ? undefined : Number(daily);
    const body = { owner, name, scopes, expiresAt, dailySamples };
    const path = `/v1/keys${reasonIn(values)}`;
    const value = await serviceOf(values, "admin").post(path, body, createdApiKeySchema);
    if (values.json) return void stdout.write(`${created.text(value)}\n`);
    stderr.write(`key ${value.id} of ${value.owner}, shown only once:\n`);
    stdout.write(`${value.key}\n`);
  },
});

const list = serviceCommand({
  name: "keys list",
  summary: "list API keys, without the secrets",
  description: ["Lists all API keys of a service, newest first, without the secrets."],
  notes,
  scope: "admin",
  result: z.object({ keys: z.array(apiKeySchema) }),
  call: async (service) => ({ keys: await everyPage(service, "/v1/keys", "keys", apiKeySchema) }),
  text: ({ keys }) => keysText(keys),
});

const revoke = serviceCommand({
  name: "keys revoke",
  summary: "revoke an API key",
  description: ["Revokes an API key permanently. Active runs continue."],
  positionals: [{ name: "id", help: "Id of the key; assay keys list prints the ids" }],
  flags: { reason },
  notes,
  examples: ["assay keys revoke key_01a2b3c4"],
  scope: "admin",
  result: apiKeySchema,
  call: (service, values, [id]) =>
    service.delete(`/v1/keys/${encodeURIComponent(id)}${reasonIn(values)}`, apiKeySchema),
  text: (key) => keysText([key]),
});

/** `assay keys`. */
export const keysCommands = [create, list, revoke];

/** API keys as a table. */
function keysText(keys: readonly ApiKey[]): string {
  const rows = keys.map((key) => [
    key.id,
    key.owner,
    key.name,
    key.scopes.join(", "),
    ...[key.createdAt, key.revokedAt ?? key.expiresAt, key.lastUsedAt].map(dayOf),
    key.dailySamples === null ? "" : formatCount(key.dailySamples),
  ]);
  const marked = rows.map((row, i) =>
    keys[i]?.revokedAt == null ? row : row.with(5, `revoked ${row[5]}`),
  );
  return textTable([head, ...marked], (column) => column < head.length - 1)
    .map(printable)
    .join("\n");
}

const reasonIn = ({ reason: why }: { reason?: string | undefined }): string =>
  why === undefined ? "" : `?${new URLSearchParams({ reason: why })}`;

const dayOf = (time: string | null): string => time?.slice(0, "2026-01-01".length) ?? "";
