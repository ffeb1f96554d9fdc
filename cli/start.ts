import type { Declaration, Values } from "./command-line/command.ts";
import { commandHelp, helpText } from "./command-line/help.ts";
import { parseCommand } from "./command-line/parse-command.ts";
import { BadInput } from "./errors.ts";
import { type DemoBoard, measureCanaries, runDemo } from "./local/demo.ts";
import { loadStock, localClient, stockName } from "./local/load-stock.ts";
import { siteProgress } from "./local/progress.ts";
import { type Stack, startStack } from "./local/stack.ts";
import { stateFolder } from "./local/state-folder.ts";
import { createForOwner } from "./owner-only.ts";

const flags = {
  port: {
    type: "string",
    value: "N",
    help: "Serve on http://localhost:N; ports N+2 and N+3 are used, too",
    default: "8787",
  },
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
  exitCodes: { 1: "The service could not start" },
};

/** Interval of checks whether the parent process is still running. */
const WATCH_MS = 1_000;

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
      tell: (line) => console.error(`\n${line}`),
      signal,
    });
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    await Promise.race([showResults(stack, folder, values).then(() => stopped), stopped]);
  } catch (error) {
    // Errors caused by stopping the service are ignored.
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  process.exit(0);
}

async function showResults(
  stack: Stack,
  folder: string,
  values: Values<typeof flags>,
): Promise<void> {
  const { site } = stack;
  const demo = !values["no-demo"];
  site.hold();
  if (!demo) await loadStock(localClient(stack.origin));
  const shown = demo ? await runDemo(stack, folder) : null;
  if (shown?.isNew) await stack.restartRuntime();
  // The last build is shown at once, unless sources or results have changed.
  const isShown = site.isCurrent && shown?.isNew !== true;
  if (!isShown) site.request();
  site.release();
  if (!isShown && !(await siteProgress(site))) {
    throw new BadInput(`The site could not be built; see ${site.log}.`);
  }
  console.log(links(stack.origin, shown?.boards ?? []));
  // The next build adds them to the pages of judged suites.
  if (demo && !values["no-canaries"]) await measureCanaries(stack);
}

function links(origin: string, boards: readonly DemoBoard[]): string {
  const [first] = boards;
  const lines = [
    ["Site", `${origin}/`],
    ...boards.map(({ suite, label }) => [label, `${origin}/leaderboards/${suite}/${stockName}/`]),
    ...(first
      ? [
          ["A report", `${origin}/runs/${first.runId}/`],
          ["A badge", `${origin}/badge/${first.slug}.svg`],
        ]
      : []),
    ["API docs", `${origin}/docs/`],
  ];
  const width = Math.max(...lines.map(([label = ""]) => label.length));
  const rows = lines.map(([label = "", url]) => `  ${label.padEnd(width)}  ${url}`);
  return ["", "Assay is up:", ...rows, "", "Ctrl-C stops it."].join("\n");
}

function portOf(given = "8787"): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_532) return port;
  throw new BadInput(`--port takes a number from 1 to 65532, not "${given}"`);
}

/** Aborts at the first signal to stop, or when the parent process, which installed the packages, has ended. */
function stopOnSignals(): AbortController {
  const controller = new AbortController();
  const stop = () => {
    if (!controller.signal.aborted) console.log("\nStopping …");
    controller.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  // A closed terminal accepts no more lines.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const { ppid } = process;
  if (process.env["ASSAY_STARTED_BY"] === `${ppid}`) {
    setInterval(() => process.ppid !== ppid && stop(), WATCH_MS).unref();
  }
  return controller;
}
