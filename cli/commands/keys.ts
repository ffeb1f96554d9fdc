import { type ApiKey, apiKeySchema, createdApiKeySchema } from "#shared/contracts/api-key.ts";
import { BadInput } from "../bad-input.ts";
import { printable } from "../printable.ts";
import { everyPage } from "../remote/every-page.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { formatCount } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";
import { command } from "./command.ts";

const access = `Needs a key with the scope admin; the operator's own OPERATOR_SECRET is one.
${keyHelp}`;
const json = { json: { type: "boolean" } } as const;
const common = `  ${serverHelp}
  --json            print what the service answers
  --help            show this`;

/** `assay keys create`: makes an API key, which is shown once. */
export const keysCreateCommand = command({
  name: "keys create",
  summary: "make an API key; it is shown once",
  help: `assay keys create --owner OWNER --name NAME [options]

Makes an API key and prints it on standard output. It is shown this once and kept nowhere.

  --owner OWNER     whose runs and datasets it may make: letters, digits, dots, dashes and underscores
  --name NAME       what it is for
  --scope SCOPE     submit or admin; give it once for each; without it, submit
  --expires TIME    when it ends to work, as 2027-01-31T00:00:00Z; without it, never
  --daily-samples N samples × repeats that it may have evaluated a day; without it, what the service allows
${common}

${access}

Examples
  assay keys create --owner acme --name "nightly job" --expires 2027-01-31T00:00:00Z`,
  flags: {
    ...serviceFlags,
    ...json,
    owner: { type: "string" },
    name: { type: "string" },
    scope: { type: "string", multiple: true },
    expires: { type: "string" },
    "daily-samples": { type: "string" },
  },
  async run(values, positionals, { stdout, stderr }) {
    refuseSurplus(positionals);
    const { owner, name, scope: scopes, expires: expiresAt, "daily-samples": daily } = values;
    if (owner === undefined || name === undefined) {
      throw new BadInput("--owner OWNER and --name NAME are needed");
    }
    if (daily !== undefined && !/^[1-9]\d*$/.test(daily)) {
      throw new BadInput(`--daily-samples takes a whole number from 1 on, not "${daily}"`);
    }
    const dailySamples = daily === undefined ? undefined : Number(daily);
    const body = { owner, name, scopes, expiresAt, dailySamples };
    const { value } = await serviceOf(values, "admin").post("/v1/keys", body, createdApiKeySchema);
    if (values.json) return void stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    stderr.write(`key ${value.id} of ${value.owner}, shown this once:\n`);
    stdout.write(`${value.key}\n`);
  },
});

/** `assay keys list`: all API keys, without the keys themselves. */
export const keysListCommand = command({
  name: "keys list",
  summary: "list API keys, without the keys themselves",
  help: `assay keys list [options]

All API keys of a service, newest first, without the keys themselves.

${common}

${access}`,
  flags: { ...serviceFlags, ...json },
  async run(values, positionals, { stdout }) {
    refuseSurplus(positionals);
    const keys = await everyPage(serviceOf(values, "admin"), "/v1/keys", "keys", apiKeySchema);
    stdout.write(`${values.json ? JSON.stringify({ keys }, null, 2) : keysText(keys)}\n`);
  },
});

/** `assay keys revoke`: an API key works no longer. */
export const keysRevokeCommand = command({
  name: "keys revoke",
  summary: "revoke an API key",
  help: `assay keys revoke <id> [options]

Revokes an API key by its id, for good. Runs under way go on.

${common}

${access}

Examples
  assay keys revoke key_01a2b3c4`,
  flags: { ...serviceFlags, ...json },
  async run(values, [id, ...surplus], { stdout }) {
    if (id === undefined) throw new BadInput("name the key by its id; assay keys list has them");
    refuseSurplus(surplus);
    const path = `/v1/keys/${encodeURIComponent(id)}`;
    const { value } = await serviceOf(values, "admin").delete<ApiKey>(path, apiKeySchema);
    stdout.write(`${values.json ? JSON.stringify(value, null, 2) : keysText([value])}\n`);
  },
});

function refuseSurplus([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw new BadInput(`"${surplus}" is too much`);
}

const head = ["id", "owner", "name", "scopes", "created", "expires", "last used", "samples a day"];

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

const dayOf = (time: string | null): string => time?.slice(0, "2026-01-01".length) ?? "";
