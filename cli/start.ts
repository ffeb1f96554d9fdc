import { parseArgs } from "node:util";
import { BadInput } from "./bad-input.ts";
import { type Stack, startStack } from "./local/stack.ts";
import { stateFolder } from "./local/state-folder.ts";
import { createForOwner } from "./owner-only.ts";

const usage = `npm start [-- options]

  --port N     serve on http://localhost:N (default 8787; ports N+2 and N+3 are used too)
  --no-demo    start without evaluating the simulated models
  --no-canaries
               leave out the canaries of judged suites, which are judged once the links are shown
  --fresh      forget all data of earlier starts
  --help       show this`;

/** How often it is checked whether the process that started this one is still there. */
const WATCH_MS = 1_000;

await main().catch((error: unknown) => {
  console.error(error instanceof BadInput ? error.message : error);
  process.exit(1);
});

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    console.log(usage);
    return;
  }
  createForOwner();
  const folder = stateFolder();
  const { signal } = stopOnSignals();
  console.log("Starting the service …");
  let stack: Stack | null = null;
  try {
    stack = await startStack({
      port: options.port,
      folder,
      fresh: options.fresh,
      site: true,
      tell: (line) => console.error(`\n${line}`),
      signal,
    });
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    // Loaded this late, most of it was loaded while the runtime started.
    const { showResults } = await import("./local/show-results.ts");
    await Promise.race([showResults(stack, folder, options).then(() => stopped), stopped]);
  } catch (error) {
    // Whatever fails because the service is being stopped is of no interest.
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  process.exit(0);
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8787" },
        demo: { type: "boolean", default: true },
        canaries: { type: "boolean", default: true },
        fresh: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
      allowNegative: true,
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_532) {
      throw new BadInput(`--port takes a number from 1 to 65532, not "${values.port}".`);
    }
    return { ...values, port };
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`${(error as Error).message.split(". ")[0]}.\n\n${usage}`);
  }
}

/** Aborts at the first signal to stop, or when the process that installed packages and started this one is gone. */
function stopOnSignals(): AbortController {
  const controller = new AbortController();
  const stop = () => {
    if (!controller.signal.aborted) console.log("\nStopping …");
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A terminal that is gone takes no more lines.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const { ppid } = process;
  if (process.env["ASSAY_STARTED_BY"] === `${ppid}`) {
    setInterval(() => process.ppid !== ppid && stop(), WATCH_MS).unref();
  }
  return controller;
}
