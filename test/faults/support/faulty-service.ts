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
/** In place of the platform's cron, which fires each minute: more often it sends more messages than are worked off. */
const CRON_EVERY_MS = 8_000;

const program = join(import.meta.dirname, "serve-worker.ts");

/** The service in a process of its own, with faults, data and ports of its own; it can be killed. */
export class FaultyService {
  readonly origin: string;
  /** In place of those of wrangler.toml, from the next start on. */
  vars: Record<string, string>;
  readonly memory = new MemoryWatch(() => this.#children?.leaders ?? []);
  readonly heap = new HeapWatch();
  /** Its data and logs. */
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

  /** Starts a service; it ends with this process, however that ends. */
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

  /** Brings the Worker up on the data that is there. */
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

  /** Kills the Worker's processes at once: what they had in memory is gone. */
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

  /** Removes its folder, unless that is to be kept. */
  remove(): void {
    if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Leaves its folder to whoever wants to look into it, and says which it is. */
  keep(): string {
    this.#isKept = true;
    return this.folder;
  }

  /** Where its database lies, to be opened once it is stopped. */
  get state(): string {
    return stateOf(this.folder);
  }

  /** Faults that the Worker says it has injected, with how often. */
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

  /** Whether every result is on its board and published; false while that can't be read. */
  isPublished(): Promise<boolean> {
    return this.control("published").then(
      async (response) => ((await response.json()) as { published?: boolean }).published === true,
      () => false,
    );
  }

  /** Without waiting, as the last thing that this process does. */
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

/** A line that the kill cut off is no note. */
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
