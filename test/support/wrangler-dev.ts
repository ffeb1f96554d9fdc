import { rmSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../cli/local/migrate.ts";
import { Children } from "../../cli/local/processes.ts";
import { root } from "../../cli/local/root.ts";
import {
  prepareFolder,
  registryOf,
  secretsOf,
  stateOf,
  wrangler,
  wranglerEnv,
} from "../../cli/local/wrangler.ts";

/** A Worker under `wrangler dev`. */
export interface DevWorker {
  /** Where its databases, objects, secrets and logs are kept. */
  folder: string;
  port: number;
  /** In place of those of wrangler.toml. */
  vars: Record<string, string>;
  /** Entry file, in place of that of wrangler.toml. */
  script: string | null;
  /** Where V8's inspector listens. */
  inspectorPort: number;
}

/** The output of a Worker of a folder. */
export const devLog = (folder: string): string => join(folder, "worker.log");

/** Makes the folder of a Worker, with a database that is up to date. */
export async function prepareDev(folder: string): Promise<void> {
  prepareFolder(folder, false);
  const children = new Children(join(folder, "processes.json"));
  await migrate({ folder, packages: root, children });
}

/** Starts a Worker with the bundler, inspector and proxies of `wrangler dev`; its end by itself is reported. */
export function startDev({ folder, port, vars, script, inspectorPort }: DevWorker): Children {
  // A killed one stays registered for a minute, in the way of the next.
  rmSync(registryOf(folder), { recursive: true, force: true });
  const children = new Children(join(folder, "processes.json"));
  const command = [wrangler, "dev", ...(script === null ? [] : [script]), "--env", "local"];
  command.push("--port", `${port}`, "--inspector-port", `${inspectorPort}`);
  command.push("--show-interactive-dev-session=false");
  command.push("--persist-to", stateOf(folder), "--env-file", secretsOf(folder));
  for (const [name, value] of Object.entries(vars)) command.push("--var", `${name}:${value}`);
  const log = devLog(folder);
  void children.run(command, { cwd: root, log, env: wranglerEnv(folder) }).then((code) => {
    if (!children.isStopping) console.error(`wrangler dev ended (exit code ${code}); see ${log}`);
  });
  return children;
}
