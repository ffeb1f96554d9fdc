import { join } from "node:path";
import { answerFiles } from "../../../cli/local/answer-files.ts";
import { migrate } from "../../../cli/local/migrate.ts";
import { Children, waitUntilUp } from "../../../cli/local/processes.ts";
import { startRuntime } from "../../../cli/local/runtime.ts";
import { runtimePackages } from "../../../cli/local/runtime-packages.ts";
import { workerBundle } from "../../../cli/local/worker-bundle.ts";
import { prepareFolder } from "../../../cli/local/wrangler.ts";

// A program that runs the service in the local runtime like `npm start`, without site and simulator.

const UP_WITHIN_MS = 120_000;
const [folder = "", port = "", entry = null] = process.argv.slice(2);

prepareFolder(folder, false);
const log = join(folder, "worker.log");
const children = new Children(join(folder, "processes.json"));
const packages = await runtimePackages({ children, log, print: console.error });
const bundle = await workerBundle({ entry, children, log });
await migrate({ folder, packages, children });
const stop = await startRuntime({
  folder,
  port: Number(port),
  bundle,
  packages,
  vars: {},
  site: async () => ({ status: 404, headers: {}, body: new Uint8Array() }),
  answers: answerFiles(join(folder, "answers")),
  children,
  log,
  onRestart: () => console.error(`The runtime ended and was restarted; see ${log}.`),
});
await waitUntilUp(`http://localhost:${port}/healthz`, UP_WITHIN_MS, log);
process.on("disconnect", async () => {
  await stop();
  await children.stop();
  process.exit();
});
process.send?.("up");
