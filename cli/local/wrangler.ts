import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { BadInput } from "../bad-input.ts";
import { newSigningKey } from "../new-signing-key.ts";
import { ownerFolder } from "../owner-only.ts";
import { root } from "./root.ts";

const wrangler = join(root, "node_modules", ".bin", "wrangler");

/** Options of every `wrangler dev`; inspector port 0 takes any. */
const dev = (inspectorPort = 0) => [
  ...["--show-interactive-dev-session=false", "--inspector-port", `${inspectorPort}`],
];

/** A Worker to be served on this machine. */
export interface LocalWorker {
  /** Where its databases, objects, secrets and logs are kept. */
  folder: string;
  port: number;
  /** In place of those of wrangler.toml. */
  vars: Record<string, string>;
  /** Entry file, in place of that of wrangler.toml. */
  script?: string;
  /** Where V8's inspector listens. */
  inspectorPort?: number;
}

/** The command that serves the API's Worker. */
export function workerCommand(worker: LocalWorker): string[] {
  const { folder, port, vars, script, inspectorPort } = worker;
  return [
    ...[wrangler, "dev", ...(script === undefined ? [] : [script])],
    ...["--env", "local", "--port", `${port}`, ...dev(inspectorPort)],
    ...["--persist-to", stateOf(folder), "--env-file", secretsOf(folder)],
    ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

/** The command that serves the site's Worker. */
export const siteCommand = (port: number): string[] => [
  ...[wrangler, "dev", "--config", join(root, "site", "wrangler.toml")],
  ...["--port", `${port}`, ...dev()],
];

/** Nothing is sent anywhere, and several services on one machine don't find each other's Workers. */
export const wranglerEnv = (folder: string) => ({
  // It runs under the first Node on the path, which may be older than ours.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_REGISTRY_PATH: registryOf(folder),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_LOG_PATH: join(folder, "wrangler"),
  // Else a collector keeps the trace of every call, which nobody reads, in memory and on disk.
  X_LOCAL_OBSERVABILITY: "false",
  // Else its proxies, which are in the way of each request, stop for 150 ms now and then to collect their garbage.
  MINIFLARE_WORKERD_V8_FLAGS: "--max-semi-space-size=2",
  CI: "true",
});

/** Where the runtime keeps databases and objects. */
export const stateOf = (folder: string): string => join(folder, "state");

const registryOf = (folder: string) => join(folder, "registry");

/**
 * Workers of one folder find each other by what each has written down. What a killed one wrote stands
 * in the way of the next for a minute.
 */
export const forgetWorkers = (folder: string): void =>
  rmSync(registryOf(folder), { recursive: true, force: true });

/** The same for the site's Worker alone, which has its name from site/wrangler.toml. */
export const forgetSite = (folder: string): void =>
  rmSync(join(registryOf(folder), "assay-site"), { force: true });

const secretsOf = (folder: string) => join(folder, "secrets.env");

/** Makes the folder of a service, with secrets of its own. */
export function prepareFolder(folder: string, fresh: boolean): void {
  try {
    if (fresh) rmSync(folder, { recursive: true, force: true });
    ownerFolder(folder);
    accessSync(folder, constants.W_OK);
    makeSecrets(secretsOf(folder));
  } catch {
    throw new BadInput(`No permission to write in ${folder}, where the service keeps its data.`);
  }
}

/** What is there stays; what an older version did not make is added. */
function makeSecrets(file: string): void {
  const there = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lacks = (name: string) => !new RegExp(`^${name}=`, "m").test(there);
  const made = [
    ...(lacks("SECRETS_KEY") ? [`SECRETS_KEY=${randomBytes(32).toString("hex")}\n`] : []),
    ...(lacks("SIGNING_KEY") ? [`SIGNING_KEY=${newSigningKey()}\n`] : []),
  ];
  if (made.length > 0) appendFileSync(file, made.join(""), { mode: 0o600 });
}

/** Brings the database in the folder up to date. */
export function migrate(folder: string): void {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--env", "local"];
  const result = spawnSync(wrangler, [...args, "--persist-to", stateOf(folder)], {
    cwd: root,
    env: { ...process.env, ...wranglerEnv(folder) },
    encoding: "utf8",
  });
  writeFileSync(join(folder, "migrate.log"), `${result.stdout}${result.stderr}`);
  if (result.status !== 0) {
    throw new BadInput(
      `The local database could not be brought up to date; see ${join(folder, "migrate.log")}, or start over with --fresh.`,
    );
  }
}
