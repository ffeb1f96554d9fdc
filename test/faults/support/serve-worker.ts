// Serves the faulty Worker until this process ends. Argument: a `ServedWorker` as JSON.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { loadMiniflare, openRuntime } from "../../../cli/local/miniflare.ts";
import { Children } from "../../../cli/local/processes.ts";
import { root } from "../../../cli/local/root.ts";
import { secretsIn } from "../../../cli/local/runtime.ts";
import { bundled, workerBundle } from "../../../cli/local/worker-bundle.ts";
import { stateOf } from "../../../cli/local/wrangler.ts";

/** A Worker's data, log, ports and variables, which replace those of wrangler.toml. */
export interface ServedWorker {
  folder: string;
  log: string;
  port: number;
  inspectorPort: number;
  vars: Record<string, string>;
}

const { folder, log, port, inspectorPort, vars } = JSON.parse(
  process.argv[2] ?? "",
) as ServedWorker;
// Written synchronously, because the process is killed.
const write = (line: string) => appendFileSync(log, `${line}\n`);
const children = new Children(join(folder, "bundling.json"));
const entry = join("test", "faults", "worker", "entry.ts");
const { shared, worker } = bundled(await workerBundle({ entry, children, log }));
const miniflare = loadMiniflare(root);
await openRuntime(miniflare, {
  ...shared,
  host: "localhost",
  port,
  inspectorPort,
  cf: false,
  unsafeTriggerHandlers: true,
  logRequests: false,
  log: Object.assign(new miniflare.Log(2), { log: write }),
  handleStructuredLogs: ({ message }: { message: string }) => write(message),
  resourcePersistencePath: join(stateOf(folder), "v3"),
  resourceTmpPath: join(folder, "tmp"),
  workers: [
    {
      ...worker,
      rootPath: root,
      name: "assay-local",
      bindings: { ...worker.bindings, ...secretsIn(folder), ...vars },
      serviceBindings: { SITE: () => new miniflare.Response("no site", { status: 503 }) },
    },
  ],
});
