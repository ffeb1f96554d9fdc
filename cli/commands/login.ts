import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { accountSchema } from "#shared/contracts/keys/account.ts";
import { apiKeySchema, createdApiKeySchema, scopeSchema } from "#shared/contracts/keys/api-key.ts";
import {
  deviceScopeSchema,
  startedDeviceSchema,
  waitingDeviceSchema,
} from "#shared/contracts/keys/device.ts";
import { command, jsonFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { credentialOf, credentialsFile, storeCredential } from "../remote/credentials.ts";
import { isUnencrypted } from "../remote/service-access.ts";
import { serviceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { serviceCommand, serviceFlags, serviceOrigin } from "../remote/service-flags.ts";
import { printable } from "../terminal/text.ts";

const signedInSchema = z.object({
  server: z.string(),
  owner: z.string(),
  keyId: z.string(),
  scopes: z.array(scopeSchema),
  expiresAt: z.iso.datetime().nullable(),
});
const loginFlags = {
  scope: {
    type: "string",
    value: "SCOPE",
    help: "What the key may do; organisations: also manage your organisations, for assay org",
    choices: deviceScopeSchema.options,
    default: "submit",
  },
  ...serviceFlags,
  json: jsonFlag(signedInSchema),
} as const;
const logoutFlags = {
  ...serviceFlags,
  json: jsonFlag(z.object({ server: z.string(), isRevoked: z.boolean() })),
};

const answerSchema = z.union([createdApiKeySchema, waitingDeviceSchema]);

/** A client without a key, because nobody is signed in yet. */
const anonymous = (origin: string) => serviceClient({ origin, apiKey: null }, "submit");

/** Waits until the user approves the sign-in and returns the key. Throws the service's error without approval. */
async function keyFor(origin: string, deviceCode: string, seconds: number) {
  const headers = { "x-device-code": deviceCode };
  for (let wait = seconds; ; ) {
    await sleep(wait * 1_000);
    try {
      const value = await anonymous(origin).post("/v1/device/key", {}, answerSchema, headers);
      if ("key" in value) return value;
      wait = value.intervalSeconds;
    } catch (error) {
      // The user may need minutes, in which a connection may fail.
      if (!(error instanceof ServiceError && error.prospects.isPassing)) throw error;
    }
  }
}

const login = command({
  name: "login",
  summary: "sign in to a service in a browser",
  description: [
    "Shows an address and a code. Open the address in a browser, on any machine, sign in, compare the code and approve. The service then issues a key, which expires after 90 days. It is stored for all commands that call this service, in a file that only you can read.",
  ],
  flags: loginFlags,
  notes: [
    "The file is credentials.json in $XDG_CONFIG_HOME/assay, by default ~/.config/assay. ASSAY_API_KEY has precedence over it.",
  ],
  examples: ["assay login --server https://assay.example.com", "assay login --scope organisations"],
  async run(values, _, { stdout, stderr }) {
    const origin = serviceOrigin(values);
    if (isUnencrypted(origin)) {
      throw new BadInput(
        `a key could be read in transit from ${origin}: give its address with https`,
      );
    }
    // A damaged file is reported before the user approves.
    credentialOf(origin);
    const name = encodeURIComponent(printable(`assay login on ${hostname()}`).slice(0, 80));
    const started = await anonymous(origin).post(
      `/v1/device?name=${name}&scope=${values.scope ?? "submit"}`,
      {},
      startedDeviceSchema,
    );
    stderr.write(
      `Open ${printable(started.verificationUriComplete)}\nand approve the code ${printable(started.userCode)}\n`,
    );
    const made = await keyFor(origin, started.deviceCode, started.intervalSeconds);
    storeCredential(origin, { owner: made.owner, keyId: made.id, key: made.key });
    const { owner, id: keyId, scopes, expiresAt } = made;
    const text = `signed in to ${origin} as ${owner}, with the scopes ${scopes.join(", ")}; the key is in ${credentialsFile()}`;
    const result = { server: origin, owner, keyId, scopes, expiresAt };
    stdout.write(`${values.json ? loginFlags.json.text(result) : printable(text)}\n`);
  },
});

const logout = command({
  name: "logout",
  summary: "revoke the key of assay login, and remove it from this machine",
  description: [
    "Revokes the key that assay login stored for a service, and removes it from the file.",
  ],
  flags: logoutFlags,
  async run(values, _, { stdout }) {
    const origin = serviceOrigin(values);
    const credential = credentialOf(origin);
    if (credential === null) throw new BadInput(`nobody is signed in to ${origin}`);
    const client = serviceClient({ origin, apiKey: credential.key }, "submit");
    let isRevoked = true;
    try {
      await client.delete(`/v1/account/keys/${encodeURIComponent(credential.keyId)}`, apiKeySchema);
    } catch (error) {
      // A key that the service no longer knows has already ended.
      if (!(error instanceof ServiceError && error.prospects.status === 401)) throw error;
      isRevoked = false;
    }
    storeCredential(origin, null);
    const text = `signed out of ${origin}`;
    stdout.write(`${values.json ? logoutFlags.json.text({ server: origin, isRevoked }) : text}\n`);
  },
});

const whoami = serviceCommand({
  name: "whoami",
  summary: "show the account of the key in use",
  description: [
    "Shows which account commands use at a service: the account of ASSAY_API_KEY, else of assay login.",
  ],
  scope: "submit",
  result: accountSchema,
  call: (service) => service.get("/v1/account", accountSchema),
  text: ({ owner, scopes, keyId }) =>
    printable(
      `${owner}, with the scopes ${scopes.join(", ")}${keyId === null ? "" : ` (key ${keyId})`}`,
    ),
});

/** `assay login`, `assay logout`, `assay whoami`. */
export const loginCommands = [login, logout, whoami];
