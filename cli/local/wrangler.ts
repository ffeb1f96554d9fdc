import { generateKeyPairSync, randomBytes } from "node:crypto";
import { accessSync, appendFileSync, constants, existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { BadInput } from "../errors.ts";
import { root } from "./root.ts";
import { makeStateFolder } from "./state-folder.ts";

export const wrangler = join(root, "node_modules", ".bin", "wrangler");

/** Environment for wrangler: no telemetry, and Workers of other local services are not found. */
export const wranglerEnv = (folder: string) => ({
  // Wrangler uses the first Node on the path, which may be older than ours.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_REGISTRY_PATH: join(folder, "registry"),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_LOG_PATH: join(folder, "wrangler"),
  // Otherwise a collector stores the unused trace of every call in memory and on disk.
  X_LOCAL_OBSERVABILITY: "false",
  // Otherwise wrangler's proxies, which each request passes, sometimes pause for 150 ms for garbage collection.
  MINIFLARE_WORKERD_V8_FLAGS: "--max-semi-space-size=2",
  CI: "true",
});

/** Folder of the runtime's databases and objects. */
export const stateOf = (folder: string): string => join(folder, "state");

export const secretsOf = (folder: string) => join(folder, "secrets.env");

/** Creates the folder of a service with its secrets. */
export function prepareFolder(folder: string, fresh: boolean): void {
  try {
    if (fresh) rmSync(folder, { recursive: true, force: true });
    makeStateFolder(folder);
    accessSync(folder, constants.W_OK);
    makeSecrets(secretsOf(folder));
  } catch (error) {
    throw new BadInput(`Can't store the data in ${folder}: ${(error as Error).message}`);
  }
}

/** Adds missing and empty secrets; existing ones do not change. */
function makeSecrets(file: string): void {
  const there = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lacks = (name: string) => !new RegExp(`^${name}=.`, "m").test(there);
  const random = () => randomBytes(32).toString("hex");
  const makers = { SECRETS_KEY: random, OPERATOR_SECRET: random, SIGNING_KEY: newSigningKey };
  const made = Object.entries(makers).filter(([name]) => lacks(name));
  if (made.length === 0) return;
  const lines = made.map(([name, make]) => `${name}=${make()}\n`);
  const end = there === "" || there.endsWith("\n") ? "" : "\n";
  appendFileSync(file, end + lines.join(""), { mode: 0o600 });
}

/** A private Ed25519 key in the format of the secret SIGNING_KEY: PKCS#8 in base64. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
}
