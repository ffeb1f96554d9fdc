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

/** Number of blocks of ports to try, each ten higher. */
const PORT_BLOCKS = 20;
const PORT_STEP = 10;
/** Listeners, by the offset of their ports from that of the service. */
const ports = { service: 0, "rebuild hook": 2, simulator: 3 };

export interface StackOptions {
  /** Port of the service; two higher is the rebuild hook, three higher the simulator. */
  port: number;
  /** Use other ports if these are taken. */
  elsewhere?: boolean;
  /** Folder of databases, objects, secrets and logs. */
  folder: string;
  fresh: boolean;
  /** Build the site when results change. */
  site: boolean;
  /** Environment whose keys of providers are used for judges; missing: judges are simulated. */
  env?: NodeJS.ProcessEnv;
  /** Folder whose part `answers` has the answers that are reused; by default `folder`. */
  answersFolder?: string;
  /** Whether the service ends with the command that starts it. */
  isTemporary?: boolean;
  /** Gets lines for the user. */
  print: (line: string) => void;
  /** Ends the start and everything started by it. */
  signal?: AbortSignal;
}

/** A service running on this machine. */
export interface Stack {
  origin: string;
  /** Has a key if the service requires keys. */
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
  // Ends processes that a killed start left running, before its data are used.
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
    // Not before, because the service waits for the Worker, and bundling both at once keeps two cores busy.
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
    // Everything started so far.
    await stopAll(stops, folder);
    throw error;
  }
}

/** Stopped in reverse order. */
async function stopAll(stops: (() => unknown)[], folder: string): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  forgetService(folder);
}

/** The first of the service's ports. Throws BadInput if one is taken. */
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

/** Returns a function that ends it, like the others. */
async function startHook(site: LocalSite, port: number) {
  const server = await site.listen(port + ports["rebuild hook"]);
  return () => server.close();
}

/** Its models answer so many times as fast as their catalogue says: a demo is not about waiting. */
const SIMULATOR_SPEED = 5;

/** In this process, because another one would take 100 MB. */
async function startSimulator(port: number) {
  const folder = join(root, "simulator");
  const suiteFolders = join(root, "shared", "suites");
  // Not part of the command line, which does not import it; compiled in an installed package.
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
