import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../../cli/local/migrate.ts";
import { Children, waitUntilUp } from "../../../cli/local/processes.ts";
import { root } from "../../../cli/local/root.ts";
import { prepareFolder, stateOf } from "../../../cli/local/wrangler.ts";
import { type FaultNote, type FaultSettings, NOTE } from "../fault-settings.ts";
import { freePort } from "./free-port.ts";
import { HeapWatch, MemoryWatch } from "./memory-watch.ts";
import type { ServedWorker } from "./serve-worker.ts";

const UP_WITHIN_MS = 180_000;
const CONTROL_WITHIN_MS = 300_000;
/** Interval in place of the platform's one minute. A shorter one would send more messages than the service handles. */
const CRON_EVERY_MS = 8_000;

const program = join(import.meta.dirname, "serve-worker.ts");

/** The service with faults in its own process, with its own data and ports. It can be killed. */
export class FaultyService {
  readonly origin: string;
  /** Variables that replace those of wrangler.toml from the next start on. */
  vars: Record<string, string>;
  readonly memory = new MemoryWatch(() => this.#children?.leaders ?? []);
  readonly heap = new HeapWatch();
  /** Folder of the data and logs. */
  readonly folder: string;
  readonly #port: number;
  readonly #cronTimer: NodeJS.Timeout;
  #children: Children | null = null;
  #isKept = false;

  private constructor(folder: string, port: number, vars: Record<string, string>) {
    this.folder = folder;
    this.#port = port;
    this.vars = vars;
    this.origin = `http://localhost:${port}`;
    this.#cronTimer = setInterval(() => this.#runCronTwice(), CRON_EVERY_MS);
  }

  /** Starts a service. It ends when this process ends for any reason. */
  static async start(vars: Record<string, string>): Promise<FaultyService> {
    const folder = mkdtempSync(join(tmpdir(), "assay-faults-"));
    const service = new FaultyService(folder, await freePort(), vars);
    process.once("exit", () => service.#end());
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => process.exit(130));
    }
    try {
      prepareFolder(folder, false);
      await migrate({ folder, packages: root, children: service.#newChildren() });
      await service.up();
    } catch (error) {
      await service.stop();
      throw error;
    }
    return service;
  }

  /** Starts the Worker with the existing data. */
  async up(): Promise<void> {
    const inspectorPort = await freePort();
    const { folder, vars } = this;
    const log = this.#log;
    const served: ServedWorker = { folder, log, vars, port: this.#port, inspectorPort };
    const children = this.#newChildren();
    const command = [process.execPath, program, JSON.stringify(served)];
    void children.run(command, { cwd: root, log, env: {} }).then((code) => {
      if (!children.isStopping) console.error(`the Worker ended (exit code ${code})`);
    });
    this.#children = children;
    await waitUntilUp(`${this.origin}/healthz`, UP_WITHIN_MS, log);
    this.heap.attach(inspectorPort);
  }

  /** Kills the Worker's processes at once, so everything in their memory is lost. */
  async kill(): Promise<void> {
    this.heap.detach();
    await this.#children?.kill();
    this.#children = null;
  }

  async stop(): Promise<void> {
    clearInterval(this.#cronTimer);
    this.memory.stop();
    this.heap.detach();
    await this.#children?.stop();
    this.#children = null;
  }

  /** Removes the folder unless `keep()` was called. */
  remove(): void {
    if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Keeps the folder for debugging and returns its path. */
  keep(): string {
    this.#isKept = true;
    return this.folder;
  }

  /** Folder of the database, which can be opened after the service has stopped. */
  get state(): string {
    return stateOf(this.folder);
  }

  /** The number of injections in the Worker's log, by fault. */
  injected(): Map<string, number> {
    const lines = readFileSync(this.#log, "utf8")
      .split("\n")
      .filter((line) => line.includes(NOTE));
    const notes = lines.flatMap((line) => readNote(line.slice(line.indexOf(NOTE) + NOTE.length)));
    const counts = new Map<string, number>();
    for (const { fault, count } of notes) counts.set(fault, (counts.get(fault) ?? 0) + count);
    return counts;
  }

  change(settings: FaultSettings): Promise<Response> {
    return this.control("settings", {}, JSON.stringify(settings));
  }

  control(action: string, query: Record<string, string> = {}, body = ""): Promise<Response> {
    const url = `${this.origin}/__faults/${action}?${new URLSearchParams(query)}`;
    return fetch(url, { method: "POST", body, signal: AbortSignal.timeout(CONTROL_WITHIN_MS) });
  }

  /** Whether every result is on its board and published; false if the state can't be read. */
  isPublished(): Promise<boolean> {
    return this.control("published").then(
      async (response) => ((await response.json()) as { published?: boolean }).published === true,
      () => false,
    );
  }

  /** Kills without waiting, when this process exits. */
  #end(): void {
    for (const group of this.#children?.leaders ?? []) killNow(group);
    this.remove();
  }

  #newChildren(): Children {
    return new Children(join(this.folder, "processes.json"));
  }

  get #log(): string {
    return join(this.folder, "worker.log");
  }

  #runCronTwice(): void {
    if (this.#children === null) return;
    for (let i = 0; i < 2; i++) {
      fetch(`${this.origin}/cdn-cgi/local/scheduled`).then(
        (response) => response.body?.cancel(),
        () => {},
      );
    }
  }
}

/** Ignores a line that a kill cut off. */
function readNote(text: string): FaultNote[] {
  try {
    return [JSON.parse(text) as FaultNote];
  } catch {
    return [];
  }
}

function killNow(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has ended.
  }
}
