import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BadInput } from "./bad-input.ts";
import { type DemoBoard, measureCanaries, runDemo } from "./local/demo.ts";
import { loadStock, stockName } from "./local/load-stock.ts";
import { localClient } from "./local/local-client.ts";
import { root } from "./local/root.ts";
import { type Stack, startStack } from "./local/stack.ts";
import { stateFolder } from "./local/state-folder.ts";
import { createForOwner } from "./owner-only.ts";

const usage = `npm start [-- options]

  --port N     serve on http://localhost:N (default 8787; the next three ports are used too)
  --no-demo    start without evaluating the simulated models
  --no-canaries
               leave out the canaries of judged suites, which are judged once the links are shown
  --fresh      forget all data of earlier starts
  --help       show this`;

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
  const stopped = stopSignal();
  console.log("Starting the service …");
  const stack = await startStack({
    port: options.port,
    folder,
    fresh: options.fresh,
    site: true,
    onExit: (reason) => stopped.because(reason),
    tell: (line) => console.error(`\n${line}`),
  });
  try {
    const work = showResults(stack, folder, options);
    // Whatever fails once the service is being stopped is of no interest.
    work.catch(() => {});
    await Promise.race([work.then(() => stopped.promise), stopped.promise]);
  } finally {
    console.log("\nStopping …");
    await stack.stop();
  }
  process.exit(stopped.reason() === null ? 0 : 1);
}

async function showResults(
  stack: Stack,
  folder: string,
  { demo, canaries }: { demo: boolean; canaries: boolean },
): Promise<void> {
  if (!demo) await loadStock(localClient(stack.origin));
  stack.holdSite();
  const shown = demo ? await runDemo(stack, folder) : [];
  stack.releaseSite();
  const marker = join(folder, "site-built");
  const source = `${newestChange(["site/src", "shared"].map((part) => join(root, part)))}`;
  const current = existsSync(marker) && readFileSync(marker, "utf8") === source;
  if (!current) stack.buildSite();
  if (!(await stack.siteBuilt())) {
    throw new BadInput(`The site could not be built; see ${join(folder, "site-build.log")}.`);
  }
  writeFileSync(marker, source);
  console.log(links(stack.origin, shown));
  // The pages of judged suites get them with the next build.
  if (demo && canaries) await measureCanaries(stack);
}

/** When the newest file of the folders was changed, Unix ms. */
function newestChange(folders: readonly string[]): number {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  return Math.max(...files.map((file) => statSync(join(file.parentPath, file.name)).mtimeMs));
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

/** Resolves on the first signal to stop, or when a part of the service ends. */
function stopSignal() {
  let why: string | null = null;
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => resolve());
  return {
    promise,
    reason: () => why,
    because: (reason: string) => {
      why = reason;
      console.error(`\n${reason}`);
      resolve();
    },
  };
}
