import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Children, requireFreePort, UserError, untilUp } from "./processes.ts";
import { root } from "./root.ts";
import { siteBuilder } from "./site-builder.ts";

export interface StackOptions {
  /** The service; the next three serve the site's files, the rebuild hook and the simulator. */
  port: number;
  /** Where databases, objects, secrets and logs are kept. */
  folder: string;
  fresh: boolean;
  /** Rebuild the site when results change. */
  site: boolean;
  /** Told when a part ends that should not. */
  onExit: (reason: string) => void;
}

/** A service running on this machine. */
export interface Stack {
  origin: string;
  simulator: string;
  /** Asks for a build of the site. */
  buildSite: () => void;
  /** Resolves when the site shows the newest results; false when it could not be built. */
  siteBuilt: () => Promise<boolean>;
  stop: () => Promise<void>;
}

/** How often the cron trigger fires locally; the platform does so once a minute. */
const CRON_MS = 20_000;
const UP_WITHIN_MS = 60_000;

/** Starts Worker, site, simulator and rebuild hook; migrates first. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { port, folder } = options;
  prepareFolder(options);
  const children = new Children(join(folder, "processes.json"));
  await requireFreePort(port, "the service");
  await requireFreePort(port + 1, "the site's files");
  await requireFreePort(port + 2, "the rebuild hook");
  await requireFreePort(port + 3, "the simulator");
  migrate(folder);
  const origin = `http://localhost:${port}`;
  const builder = siteBuilder({ origin, folder, enabled: options.site });
  const hook = await builder.listen(port + 2);
  startWorkers(children, options);
  startSimulator(children, options);
  const cron = setInterval(() => {
    fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => {});
  }, CRON_MS);
  const stop = async () => {
    clearInterval(cron);
    hook.close();
    await builder.stop();
    await children.stop();
  };
  try {
    await untilUp(`${origin}/healthz`, UP_WITHIN_MS, join(folder, "worker.log"));
    await untilUp(
      `http://localhost:${port + 3}/healthz`,
      UP_WITHIN_MS,
      join(folder, "simulator.log"),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    origin,
    simulator: `http://localhost:${port + 3}/v1`,
    buildSite: builder.request,
    siteBuilt: builder.settled,
    stop,
  };
}

function prepareFolder({ folder, fresh }: StackOptions): void {
  try {
    if (fresh) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    const secrets = join(folder, "secrets.env");
    if (!existsSync(secrets)) {
      writeFileSync(secrets, `SECRETS_KEY=${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
    }
  } catch {
    throw new UserError(`No permission to write in ${folder}, where the service keeps its data.`);
  }
}

/** Nothing is sent anywhere, and several services on one machine don't find each other's Workers. */
const wranglerEnv = (folder: string) => ({
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_REGISTRY_PATH: join(folder, "registry"),
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_LOG_PATH: join(folder, "wrangler"),
  CI: "true",
});

const wrangler = join(root, "node_modules", ".bin", "wrangler");

function migrate(folder: string): void {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--env", "local"];
  const result = spawnSync(wrangler, [...args, "--persist-to", join(folder, "state")], {
    cwd: root,
    env: { ...process.env, ...wranglerEnv(folder) },
    encoding: "utf8",
  });
  writeFileSync(join(folder, "migrate.log"), `${result.stdout}${result.stderr}`);
  if (result.status !== 0) {
    throw new UserError(
      `The local database could not be brought up to date; see ${join(folder, "migrate.log")}, or start over with --fresh.`,
    );
  }
}

function startWorkers(children: Children, { port, folder, onExit }: StackOptions): void {
  const env = wranglerEnv(folder);
  const shared = ["--show-interactive-dev-session=false", "--inspector-port", "0"];
  children.start(
    "The Worker",
    [
      wrangler,
      "dev",
      "--env",
      "local",
      "--port",
      `${port}`,
      "--persist-to",
      join(folder, "state"),
      "--env-file",
      join(folder, "secrets.env"),
      "--var",
      `SITE_REBUILD_HOOK:http://127.0.0.1:${port + 2}/`,
      ...shared,
    ],
    { cwd: root, log: join(folder, "worker.log"), env, onExit },
  );
  children.start(
    "The site's Worker",
    [
      wrangler,
      "dev",
      "--config",
      join(root, "site", "wrangler.toml"),
      "--port",
      `${port + 1}`,
      ...shared,
    ],
    { cwd: join(root, "site"), log: join(folder, "site.log"), env, onExit },
  );
}

function startSimulator(children: Children, { port, folder, onExit }: StackOptions): void {
  const stock = join(root, "shared", "suites", "extraction", "stock.jsonl");
  children.start(
    "The simulator",
    [
      process.execPath,
      join(root, "test", "simulator", "main.ts"),
      "--port",
      `${port + 3}`,
      "--seed",
      "1",
      "--dataset",
      stock,
    ],
    { cwd: root, log: join(folder, "simulator.log"), env: {}, onExit },
  );
}
