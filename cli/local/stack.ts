import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BadInput } from "../errors.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { answerFiles } from "./answer-files.ts";
import { localClient, stockFile } from "./load-stock.ts";
import { type LocalJudges, localJudges } from "./local-judges.ts";
import { migrate } from "./migrate.ts";
import { Children, isFreePort, requireFreePort, waitUntilUp } from "./processes.ts";
import { codeRevision, root } from "./root.ts";
import { secretsIn, startRuntime } from "./runtime.ts";
import { runtimePackages } from "./runtime-packages.ts";
import { forgetService, isServing, noteService, serviceNote } from "./service-note.ts";
import { LocalSite } from "./site-builder.ts";
import { type WorkerBundle, workerBundle } from "./worker-bundle.ts";
import { prepareFolder } from "./wrangler.ts";

const START_TIMEOUT_MS = 60_000;

/** Number of port blocks to try, each ten ports higher. */
const PORT_BLOCKS = 20;
const PORT_STEP = 10;
/** Listeners with the offset of their port from the service's port. */
const ports = { service: 0, "rebuild hook": 2, simulator: 3 };

export interface StackOptions {
  /** Port of the service; the rebuild hook is two higher, the simulator three higher. */
  port: number;
  /** Use other ports if these are taken. */
  elsewhere?: boolean;
  /** Folder of databases, objects, secrets and logs. */
  folder: string;
  fresh: boolean;
  /** Build the site when results change. */
  site: boolean;
  /** Environment with provider keys for judges; missing: judges are simulated. */
  env?: NodeJS.ProcessEnv;
  /** Folder whose subfolder `answers` has the reused answers; by default `folder`. */
  answersFolder?: string;
  /** Whether the service ends with the command that starts it. */
  isTemporary?: boolean;
  /** Prints a line for the user. */
  print: (line: string) => void;
  /** Stops the start and everything that it started. */
  signal?: AbortSignal;
}

/** A service running on this machine. */
export interface Stack {
  origin: string;
  /** Client with a key if the service requires keys. */
  client: ServiceClient;
  simulator: string;
  site: LocalSite;
  /** Whether judges cost money. */
  judgesAreReal: boolean;
  /** Restarts the runtime, which uses much memory after thousands of requests; queued messages are lost. */
  restartRuntime: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts Worker, site, simulator and rebuild hook; migrates first. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, isTemporary = false } = options;
  const there = serviceNote(folder);
  if (there !== null && isServing(there)) throw alreadyServed(folder);
  // Ends processes of an earlier killed start before its data are used.
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
    const logOf = (name: string) => join(folder, `${name}.log`);
    const packages = await runtimePackages({
      children,
      log: logOf("runtime"),
      print: options.print,
    });
    const [bundle] = await Promise.all([
      workerBundle({ entry: null, children, log: logOf("bundle") }),
      migrate({ folder, packages, children }),
    ]);
    const simulator = simulatorOf(port);
    const site = new LocalSite({ origin, simulator, folder, isBuilt: options.site, children });
    // Not earlier, because the service waits for the Worker, and bundling both at the same time keeps two cores busy.
    site.prepare();
    const judges = localJudges(options.env ?? {}, simulator, bundle.judges);
    const startRuntime = async () => {
      stops.push(await startWorker(options, { port, bundle, packages, judges, site, children }));
      signal?.throwIfAborted();
      await waitUntilUp(`${origin}/healthz`, START_TIMEOUT_MS, workerLog(folder));
    };
    // Stopped after the runtime, because its calls need them.
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
    const secrets = secretsIn(folder);
    const { REQUIRE_API_KEY } = { ...bundle.options.bindings, ...secrets };
    const apiKey = REQUIRE_API_KEY === "false" ? null : secrets["OPERATOR_SECRET"];
    const client = localClient(origin, apiKey);
    return { origin, client, simulator, site, judgesAreReal: judges.areReal, restartRuntime, stop };
  } catch (error) {
    await stop();
    // Stops everything that was started so far.
    await stopAll(stops, folder);
    throw error;
  }
}

/** Stops everything in reverse order. */
async function stopAll(stops: (() => unknown)[], folder: string): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  forgetService(folder);
}

/** The first port of a free block. Throws BadInput if a port is taken. */
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
  packages: string;
  judges: LocalJudges;
  site: LocalSite;
  children: Children;
}

function startWorker(
  { folder, answersFolder = folder, print }: StackOptions,
  { port, bundle, packages, judges, site, children }: WorkerParts,
) {
  const log = workerLog(folder);
  const publicOrigin = process.env["ASSAY_PUBLIC_ORIGIN"]?.trim() ?? "";
  return startRuntime({
    folder,
    port,
    bundle,
    packages,
    children,
    log,
    vars: {
      SITE_REBUILD_HOOK: `http://127.0.0.1:${port + ports["rebuild hook"]}/`,
      CODE_REVISION: codeRevision(),
      ...judges.vars,
      PUBLIC_ORIGIN: publicOrigin,
      OWN_HOSTS: URL.parse(publicOrigin)?.host ?? "",
    },
    site: (asked) => site.answer(asked),
    answers: answerFiles(join(answersFolder, "answers")),
    onRestart: () => print(`The runtime ended and was restarted; see ${log}.`),
  });
}

const workerLog = (folder: string) => join(folder, "worker.log");

/** Starts the rebuild hook; returns a function that stops it. */
async function startHook(site: LocalSite, port: number) {
  const server = await site.listen(port + ports["rebuild hook"]);
  return () => server.close();
}

/** Factor by which simulated models answer faster than their catalogue states, to keep the demo short. */
const SIMULATOR_SPEED = 5;

/** Starts the simulator in this process, because another process would take 100 MB. */
async function startSimulator(port: number) {
  const folder = join(root, "simulator");
  const suiteFolders = join(root, "shared", "suites");
  // Not imported statically, because it is not part of the command line; compiled in an installed package.
  const program = pathToFileURL(join(folder, `start-simulator${extname(import.meta.url)}`)).href;
  const { startSimulator: start } = (await import(program)) as {
    startSimulator: (options: object) => Promise<{ close(): Promise<void> }>;
  };
  const datasets = readdirSync(suiteFolders).map((suite) =>
    (stockFile(suite)?.toString().split("\n") ?? [])
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  );
  const simulator = await start({
    port: port + ports.simulator,
    seed: "1",
    datasets,
    latencyScale: 1 / SIMULATOR_SPEED,
  });
  return () => simulator.close();
}
