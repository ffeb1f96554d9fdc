import { type Declaration, type Values, valueFlag } from "./command-line/command.ts";
import { commandHelp, helpText } from "./command-line/help.ts";
import { parseCommand } from "./command-line/parse-command.ts";
import { BadInput } from "./errors.ts";
import { createForOwner } from "./files/owner-only.ts";
import { type Stack, startStack } from "./local/stack.ts";
import { stateFolder } from "./local/state-folder.ts";
import { loadEnvFile } from "./remote/env-file.ts";

const flags = {
  port: valueFlag("N", "Serve on http://localhost:N; ports N+2 and N+3 are used, too", {
    default: "8787",
  }),
  "no-demo": { type: "boolean", help: "Do not evaluate the simulated models" },
  "no-canaries": {
    type: "boolean",
    help: "Do not run the canaries of judged suites, which start once the links are printed",
  },
  fresh: { type: "boolean", help: "Delete all data of earlier starts" },
} as const;

const declaration: Declaration = {
  name: "start",
  summary: "start the service on this machine",
  usage: ["npm start", "npm start -- [options]"],
  description: [
    "Starts the service, evaluates four simulated models on the stock dataset of each suite, builds the site and prints the links.",
  ],
  flags,
  exitCodes: { 1: "Unexpected error", 2: "Invalid input, or the service could not start" },
};

/** Interval of checks whether the parent process is still running. */
const WATCH_MS = 1_000;

loadEnvFile(".env", process.env);
await main().catch((error: unknown) => {
  console.error(error instanceof BadInput ? error.message : error);
  process.exit(error instanceof BadInput ? 2 : 1);
});

async function main(): Promise<void> {
  const parsed = parseCommand(declaration, process.argv.slice(2));
  if (parsed.help) {
    return console.log(helpText(commandHelp(declaration), process.stdout.columns));
  }
  await start(parsed.values as Values<typeof flags>);
}

async function start(values: Values<typeof flags>): Promise<void> {
  const port = portOf(values.port);
  createForOwner();
  const folder = stateFolder();
  const { signal } = stopOnSignals();
  console.log("Starting the service …");
  let stack: Stack | null = null;
  try {
    stack = await startStack({
      port,
      folder,
      fresh: values.fresh ?? false,
      site: true,
      env: process.env,
      print: (line) => console.error(`\n${line}`),
      signal,
    });
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    // Imported here, because most of its modules were loaded while the runtime started.
    const { showResults } = await import("./local/show-results.ts");
    const options = { demo: !values["no-demo"], canaries: !values["no-canaries"] };
    await Promise.race([showResults(stack, folder, options).then(() => stopped), stopped]);
  } catch (error) {
    // Ignores errors that are caused by stopping the service.
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  process.exit(0);
}

function portOf(given = "8787"): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_532) return port;
  throw new BadInput(`--port must be a number from 1 to 65532, not "${given}"`);
}

/** Aborts at the first signal to stop, or when the parent process, which installed the packages, has ended. */
function stopOnSignals(): AbortController {
  const controller = new AbortController();
  const stop = () => {
    if (!controller.signal.aborted) console.log("\nStopping …");
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A closed terminal cannot show more lines.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const { ppid } = process;
  if (process.env["ASSAY_STARTED_BY"] === `${ppid}`) {
    setInterval(() => process.ppid !== ppid && stop(), WATCH_MS).unref();
  }
  return controller;
}
