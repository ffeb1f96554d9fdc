import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BadInput } from "../errors.ts";
import { codeRevision } from "./code-revision.ts";
import { Children, isFreePort, requireFreePort, waitUntilUp } from "./processes.ts";
import { root } from "./root.ts";
import { startRuntime } from "./runtime.ts";
import { forgetService, isServing, noteService, serviceNote } from "./service-note.ts";
import { simulatedJudges } from "./simulated-judges.ts";
import { LocalSite } from "./site-builder.ts";
import { type WorkerBundle, workerBundle } from "./worker-bundle.ts";
import { migrate, prepareFolder } from "./wrangler.ts";

const START_TIMEOUT_MS = 60_000;

/** So many blocks of ports are tried, each ten further on. */
const PORT_BLOCKS = 20;
const PORT_STEP = 10;
/** What listens, by the distance of its port from that of the service. */
const ports = { service: 0, "rebuild hook": 2, simulator: 3 };

export interface StackOptions {
  /** The service; the third port from it on is that of the rebuild hook, the fourth that of the simulator. */
  port: number;
  /** Take other ports where these are taken. */
  elsewhere?: boolean;
  /** Where databases, objects, secrets and logs are kept. */
  folder: string;
  fresh: boolean;
  /** Build the site when results change. */
  site: boolean;
  /** Whether the service ends with the command that starts it. */
  isTemporary?: boolean;
  /** Takes lines that its user should read. */
  print: (line: string) => void;
  /** Ends the start, and what it has started. */
  signal?: AbortSignal;
}

/** A service running on this machine. */
export interface Stack {
  origin: string;
  simulator: string;
  site: LocalSite;
  /** Starts the runtime again, which holds much that nobody needs after thousands of requests; what is queued is lost. */
  restartRuntime: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts Worker, site, simulator and rebuild hook; migrates first. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, isTemporary = false } = options;
  const there = serviceNote(folder);
  if (there !== null && isServing(there)) throw alreadyServed(folder);
  // Ends what a killed start has left, before its data are.
  const children = new Children(join(folder, "processes.json"));
  prepareFolder(folder, options.fresh);
  if (!noteService(folder, { origin: null, isTemporary })) throw alreadyServed(folder);
  try {
    return await startIn(options, children);
  } catch (error) {
    forgetService(folder);
    throw error;
  }
}

function alreadyServed(folder: string): BadInput {
  const { pid, origin } = serviceNote(folder) ?? {};
  const where = origin ? ` at ${origin}` : "";
  return new BadInput(
    `The service of ${folder} is already running${where} (process ${pid}): use that one, or stop it first.`,
  );
}

async function startIn(options: StackOptions, children: Children): Promise<Stack> {
  const { folder, isTemporary = false, signal } = options;
  const stops: (() => unknown)[] = [() => children.stop()];
  let stopping: Promise<void> | null = null;
  const stop = () => (stopping ??= stopAll(stops, folder));
  signal?.addEventListener("abort", () => void stop(), { once: true });
  try {
    const port = await freeBlock(options);
    const origin = `http://localhost:${port}`;
    noteService(folder, { origin, isTemporary });
    const log = join(folder, "bundle.log");
    const [bundle] = await Promise.all([
      workerBundle({ entry: null, children, log }),
      migrate(folder, children),
    ]);
    const simulator = simulatorOf(port);
    const site = new LocalSite({ origin, simulator, folder, isBuilt: options.site, children });
    const startRuntime = async () => {
      stops.push(await startWorker(options, { port, bundle, site, children }));
      signal?.throwIfAborted();
      await waitUntilUp(`${origin}/healthz`, START_TIMEOUT_MS, workerLog(folder));
    };
    // Stopped after the runtime, whose calls would fail without them.
    const startBeside = async (starting: Promise<() => unknown>) => {
      stops.splice(1, 0, await starting);
    };
    const started = await Promise.allSettled([
      startRuntime(),
      startBeside(startHook(site, port)),
      startBeside(startSimulator(port)),
    ]);
    for (const one of started) if (one.status === "rejected") throw one.reason;
    const restartRuntime = async () => {
      await stops.pop()?.();
      signal?.throwIfAborted();
      await startRuntime();
    };
    return { origin, simulator, site, restartRuntime, stop };
  } catch (error) {
    await stop();
    // What was started meanwhile.
    await stopAll(stops, folder);
    throw error;
  }
}

/** The last to be started is the first to be stopped. */
async function stopAll(stops: (() => unknown)[], folder: string): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  forgetService(folder);
}

/** The first port of those that the service takes. Throws BadInput where one is taken. */
async function freeBlock({ port, elsewhere = false }: StackOptions): Promise<number> {
  const offsets = Object.values(ports);
  for (let block = 0; elsewhere && block < PORT_BLOCKS; block++) {
    const first = port + block * PORT_STEP;
    const free = await Promise.all(offsets.map((offset) => isFreePort(first + offset)));
    if (free.every(Boolean)) return first;
  }
  for (const [purpose, offset] of Object.entries(ports)) {
    await requireFreePort(port + offset, `the ${purpose}`);
  }
  return port;
}

const simulatorOf = (port: number) => `http://localhost:${port + ports.simulator}/v1`;

interface WorkerParts {
  port: number;
  bundle: WorkerBundle;
  site: LocalSite;
  children: Children;
}

function startWorker(
  { folder, print }: StackOptions,
  { port, bundle, site, children }: WorkerParts,
) {
  const log = workerLog(folder);
  const publicOrigin = process.env["ASSAY_PUBLIC_ORIGIN"]?.trim() ?? "";
  return startRuntime({
    folder,
    port,
    bundle,
    children,
    log,
    vars: {
      SITE_REBUILD_HOOK: `http://127.0.0.1:${port + ports["rebuild hook"]}/`,
      CODE_REVISION: codeRevision(),
      JUDGES: JSON.stringify(simulatedJudges(simulatorOf(port), bundle.judges)),
      PUBLIC_ORIGIN: publicOrigin,
      OWN_HOSTS: URL.parse(publicOrigin)?.host ?? "",
    },
    site: (asked) => site.answer(asked),
    onRestart: () => print(`The runtime ended and was started again; see ${log}.`),
  });
}

const workerLog = (folder: string) => join(folder, "worker.log");

/** Gives what ends it, as the others do. */
async function startHook(site: LocalSite, port: number) {
  const server = await site.listen(port + ports["rebuild hook"]);
  return () => server.close();
}

/** In this process: it takes little, and another one would hold 100 MB. */
async function startSimulator(port: number) {
  const folder = join(root, "simulator");
  // Not a part of the command line, which imports nothing of it.
  const program = pathToFileURL(join(folder, "start-simulator.ts")).href;
  const { startSimulator: start } = (await import(program)) as {
    startSimulator: (options: object) => Promise<{ close(): Promise<void> }>;
  };
  const datasets = globSync(join(root, "shared", "suites", "*", "stock.jsonl"));
  const simulator = await start({ port: port + ports.simulator, seed: "1", datasets });
  return () => simulator.close();
}
