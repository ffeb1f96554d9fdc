import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { BadInput } from "../errors.ts";
import type { Children } from "./processes.ts";
import { root } from "./root.ts";
import { userCache } from "./state-folder.ts";

/** Environment variable for the folder of the packages. */
const FOLDER_VARIABLE = "ASSAY_RUNTIME";

/** Folder of an installed package with the manifest and lock file for installing the runtime. */
export const RUNTIME_FOLDER = "runtime";

const MANIFEST = "package.json";
const LOCK = "package-lock.json";

interface Fetching {
  children: Children;
  log: string;
  /** Prints a line for the user. */
  print: (line: string) => void;
}

/**
 * The folder whose `node_modules` has the runtime of a local service, miniflare with workerd: the folder that
 * the environment names, the clone, or a folder in the user's cache. If the runtime is missing, npm installs it
 * into the cache, with versions and hashes from the project's lock file. Throws BadInput if that fails.
 */
export async function runtimePackages({ children, log, print }: Fetching): Promise<string> {
  const named = process.env[FOLDER_VARIABLE]?.trim();
  if (named) {
    if (hasRuntime(named)) return resolve(named);
    throw new BadInput(
      `${FOLDER_VARIABLE} must name a folder whose node_modules has miniflare, not "${named}"`,
    );
  }
  if (hasRuntime(root)) return root;
  const source = join(root, RUNTIME_FOLDER);
  if (!existsSync(join(source, LOCK))) {
    throw new BadInput(
      "no service is given, and starting one needs the packages of Assay's repository: give --server URL, set ASSAY_URL, or run npm ci there",
    );
  }
  const lock = createHash("sha256").update(readFileSync(join(source, LOCK)));
  const folder = userCache("runtime", lock.digest("hex").slice(0, 16));
  if (hasRuntime(folder)) return folder;
  print("Installing the runtime of the local service (once, about 60 MB to download) …");
  const made = `${folder}.${process.pid}`;
  try {
    mkdirSync(made, { recursive: true });
    for (const name of [MANIFEST, LOCK]) copyFileSync(join(source, name), join(made, name));
  } catch {
    throw new BadInput(
      `No permission to write to ${made}; set ${FOLDER_VARIABLE} or XDG_CACHE_HOME`,
    );
  }
  const code = await children.run(npmInstall, { cwd: made, log, env: {} });
  // If two processes install at the same time, the first wins.
  if (code === 0 && hasRuntime(made) && !existsSync(folder)) renameSync(made, folder);
  else rmSync(made, { recursive: true, force: true });
  if (hasRuntime(folder)) return folder;
  throw new BadInput(
    `The runtime of the local service could not be installed: ${reasonIn(log)}. Or name a running service with --server (whole output: ${log}).`,
  );
}

const hasRuntime = (folder: string): boolean =>
  existsSync(join(folder, "node_modules", "miniflare", MANIFEST));

/** Runs no package scripts. Without a network, it fails in seconds instead of after a minute of retries. */
const npmInstall = [
  "npm",
  "ci",
  "--ignore-scripts",
  "--prefer-offline",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
];

/** Why npm failed, from its output. */
function reasonIn(log: string): string {
  const output = existsSync(log) ? readFileSync(log, "utf8") : "";
  if (/ECONNREFUSED|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|ECONNRESET|ENOTCACHED/.test(output)) {
    return "the package registry can't be reached; check the network and npm's registry setting";
  }
  const line = output.split("\n").find((one) => /^npm error (?!code)/.test(one));
  return line?.replace("npm error ", "") ?? "npm did not run; it is part of Node.js";
}
