import { join } from "node:path";
import { BadInput } from "../bad-input.ts";
import { codeRevision } from "../code-revision.ts";
import { Children, isFreePort, requireFreePort, untilUp } from "./processes.ts";
import { root } from "./root.ts";
import { forgetService, noteService, serviceNote } from "./service-note.ts";
import { simulatedJudges } from "./simulated-judges.ts";
import { siteBuilder } from "./site-builder.ts";
import {
  forgetSite,
  forgetWorkers,
  migrate,
  prepareFolder,
  siteCommand,
  workerCommand,
  wranglerEnv,
} from "./wrangler.ts";

export interface StackOptions {
  /** The service; the next three serve the site's files, the rebuild hook and the simulator. */
  port: number;
  /** Take other ports where these are taken. */
  elsewhere?: boolean;
  /** Where databases, objects, secrets and logs are kept. */
  folder: string;
  fresh: boolean;
  /** Rebuild the site when results change. */
  site: boolean;
  /** Leave the site's pages out: the API alone answers. */
  apiOnly?: boolean;
  /** Whether the service ends with the command that starts it. */
  isTemporary?: boolean;
  /** Told when a part ends that the service can't do without. */
  onExit: (reason: string) => void;
  /** Told when one ends that it can do without for a while. */
  tell: (line: string) => void;
}

/** A service running on this machine. */
export interface Stack {
  origin: string;
  simulator: string;
  /** Asks for a build of the site. */
  buildSite: () => void;
  /** Between these two the site is not built; what was asked for meanwhile is built then. */
  holdSite: () => void;
  releaseSite: () => void;
  /** Resolves when the site shows the newest results; false when it could not be built. */
  siteBuilt: () => Promise<boolean>;
  stop: () => Promise<void>;
}

/** How often the cron trigger fires locally; the platform does so once a minute. */
const CRON_MS = 20_000;
const UP_WITHIN_MS = 60_000;
/** Times in a row that the site's Worker is started again; what fails more often is no accident. */
const SITE_TRIES = 5;

/** So many blocks of ports are tried, each ten further on. */
const PORT_BLOCKS = 20;
const PORT_STEP = 10;
const purposes = ["the service", "the site's files", "the rebuild hook", "the simulator"];

/** Starts Worker, site, simulator and rebuild hook; migrates first. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, isTemporary = false } = options;
  prepareFolder(folder, options.fresh);
  if (!noteService(folder, { origin: null, isTemporary })) throw alreadyServed(folder);
  try {
    return await startIn(options);
  } catch (error) {
    forgetService(folder);
    throw error;
  }
}

function alreadyServed(folder: string): BadInput {
  const { pid, origin } = serviceNote(folder) ?? {};
  const where = origin ? ` at ${origin}` : "";
  return new BadInput(
    `The service of ${folder} is running already${where} (process ${pid}): use that one, or stop it first.`,
  );
}

async function startIn(given: StackOptions): Promise<Stack> {
  const { folder, isTemporary = false } = given;
  const children = new Children(join(folder, "processes.json"));
  forgetWorkers(folder);
  const port = await freeBlock(given);
  const options = { ...given, port };
  const origin = `http://localhost:${port}`;
  noteService(folder, { origin, isTemporary });
  migrate(folder);
  const builder = siteBuilder({ origin, folder, enabled: options.site });
  const hook = await builder.listen(port + 2);
  startWorkers(children, options);
  startSimulator(children, options);
  const cron = setInterval(() => {
    fetch(`${origin}/cdn-cgi/local/scheduled`).catch(() => {});
  }, CRON_MS);
  const stop = async () => {
    clearInterval(cron);
    hook.close();
    await builder.stop();
    await children.stop();
    forgetService(folder);
  };
  try {
    await untilUp(`${origin}/healthz`, UP_WITHIN_MS, join(folder, "worker.log"));
    const simulator = `http://localhost:${port + 3}/healthz`;
    await untilUp(simulator, UP_WITHIN_MS, join(folder, "simulator.log"));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ origin, simulator: simulatorOf(port), stop },
    ...{ buildSite: builder.request, holdSite: builder.hold, releaseSite: builder.release },
    siteBuilt: builder.settled,
  };
}

/** The first port of those that the service takes. Throws BadInput where one is taken. */
async function freeBlock({ port, elsewhere = false }: StackOptions): Promise<number> {
  for (let block = 0; elsewhere && block < PORT_BLOCKS; block++) {
    const first = port + block * PORT_STEP;
    const free = await Promise.all(purposes.map((_, i) => isFreePort(first + i)));
    if (free.every(Boolean)) return first;
  }
  for (const [i, purpose] of purposes.entries()) await requireFreePort(port + i, purpose);
  return port;
}

const simulatorOf = (port: number) => `http://localhost:${port + 3}/v1`;

function startWorkers(children: Children, options: StackOptions): void {
  const { port, folder, onExit } = options;
  const env = wranglerEnv(folder);
  const vars = {
    SITE_REBUILD_HOOK: `http://127.0.0.1:${port + 2}/`,
    CODE_REVISION: codeRevision(),
    JUDGES: JSON.stringify(simulatedJudges(simulatorOf(port))),
  };
  const api = { cwd: root, log: join(folder, "worker.log"), env, onExit };
  children.start("The Worker", workerCommand({ folder, port, vars }), api);
  if (!options.apiOnly) startSite(children, options);
}

/** Without it the API still evaluates and answers, so that its end is nobody else's. */
function startSite(children: Children, { port, folder, tell }: StackOptions): void {
  children.start("The site's Worker", siteCommand(port + 1), {
    ...{ cwd: join(root, "site"), log: join(folder, "site.log"), env: wranglerEnv(folder) },
    again: { tries: SITE_TRIES, tell, before: () => forgetSite(folder) },
    onExit: (reason) => tell(`${reason}. The API goes on without the site; start anew for both.`),
  });
}

function startSimulator(children: Children, { port, folder, onExit }: StackOptions): void {
  children.start(
    "The simulator",
    [
      process.execPath,
      join(root, "test", "simulator", "main.ts"),
      "--port",
      `${port + 3}`,
      "--seed",
      "1",
    ],
    { cwd: root, log: join(folder, "simulator.log"), env: {}, onExit },
  );
}
