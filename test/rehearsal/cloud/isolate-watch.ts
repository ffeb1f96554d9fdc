import { readdirSync, readFileSync } from "node:fs";
import type { Usage } from "./limits.ts";

const EVERY_MS = 250;
/** Between two collections of garbage: one takes up to a third of a second. */
const COLLECTED_MS = 1_000;

interface Running {
  cpuMs: number;
  /** More ends the isolate; null: only counted. */
  most: number | null;
  ranAlone: boolean;
}

interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

const megabytes = ({ usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }: HeapUsage) =>
  (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;

export interface WatchOptions {
  heapMb: number;
  /** Told when a limit is exceeded: the isolate has to end. `call`: whose invocation it was, if it was one's. */
  exceeded: (why: string, call: string | null) => void;
}

/**
 * Watches memory and CPU time of the Workers' isolates. Memory: V8's inspector says what an isolate has on its heap and
 * in buffers; garbage is collected before half of the limit is passed, so that what counts is in use. Code may run
 * between a collection and its look, and buffers are freed some time after it, so the limit is passed if two such looks
 * in a row are above it, a second apart. What is allocated and dropped between two looks is missed. CPU time: that of the runtime's process, by Linux, shared equally among the
 * invocations that run; where the system does not tell it, nobody is charged.
 */
export class IsolateWatch {
  readonly #options: WatchOptions;
  readonly #running = new Map<string, Running>();
  readonly #sockets: WebSocket[] = [];
  readonly #timer: NodeJS.Timeout;
  /** CPU time so far, by process, ms. */
  #cpuMs = new Map<number, number>();
  #collectedAt = 0;
  /** Isolates whose last look was above the limit. */
  readonly #suspects = new WeakSet<WebSocket>();
  /** Most that one isolate had in use, MB. */
  peakHeapMb = 0;
  /** Whether the system tells CPU time, and the inspector memory. */
  isCpuKnown = false;
  isHeapKnown = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** Watches the isolates of a runtime that has just been started, at their inspectors. */
  attach(inspectors: readonly string[]): void {
    this.#detach();
    this.#running.clear();
    known = { at: 0, pids: [] };
    this.#cpuMs = runtimeCpuMs() ?? new Map();
    for (const url of inspectors) {
      const socket = new WebSocket(url);
      socket.addEventListener("message", ({ data }) => this.#read(socket, `${data}`));
      socket.addEventListener("error", () => {});
      this.#sockets.push(socket);
    }
  }

  /** `most`: CPU time that it may take, ms. */
  begin(call: string, most: number): void {
    this.#charge();
    const isAlone = this.#running.size === 0;
    for (const other of this.#running.values()) other.ranAlone = false;
    this.#running.set(call, {
      cpuMs: 0,
      // A look takes about as long as the Free plan allows.
      most: most < EVERY_MS ? null : most,
      ranAlone: isAlone,
    });
  }

  /** Adds to an invocation's report what it took. */
  end(usage: Usage): Usage {
    this.#charge();
    const one = this.#running.get(usage.call);
    this.#running.delete(usage.call);
    if (one === undefined || !this.isCpuKnown) return usage;
    return { ...usage, cpuMs: one.cpuMs, ranAlone: one.ranAlone };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#detach();
  }

  #detach(): void {
    for (const socket of this.#sockets.splice(0)) socket.close();
  }

  #look(): void {
    this.#charge();
    for (const [call, { cpuMs, most }] of this.#running) {
      if (most !== null && cpuMs > most) {
        this.#running.clear();
        this.#options.exceeded(`Worker exceeded CPU time limit: ${Math.round(cpuMs)} ms`, call);
        return;
      }
    }
    for (const socket of this.#sockets) ask(socket, 1, "Runtime.getHeapUsage");
  }

  #charge(): void {
    const cpuMs = runtimeCpuMs();
    if (cpuMs === null) return;
    this.isCpuKnown = true;
    const spent = [...cpuMs].map(([pid, ms]) => Math.max(0, ms - (this.#cpuMs.get(pid) ?? 0)));
    const each = spent.reduce((sum, ms) => sum + ms, 0) / Math.max(1, this.#running.size);
    this.#cpuMs = cpuMs;
    for (const one of this.#running.values()) one.cpuMs += each;
  }

  #read(socket: WebSocket, message: string): void {
    if (!message.includes("usedSize")) return;
    const { id, result } = JSON.parse(message) as { id?: number; result?: HeapUsage };
    if (result === undefined || !this.#sockets.includes(socket)) return;
    this.isHeapKnown = true;
    const mb = megabytes(result);
    const isCollected = id === 2;
    if (!isCollected && mb > this.#options.heapMb / 2) {
      if (Date.now() - this.#collectedAt < COLLECTED_MS) return;
      this.#collectedAt = Date.now();
      ask(socket, 3, "HeapProfiler.collectGarbage");
      ask(socket, 2, "Runtime.getHeapUsage");
      return;
    }
    const isOver = mb > this.#options.heapMb;
    if (isOver && !this.#suspects.has(socket)) {
      this.#suspects.add(socket);
      return;
    }
    this.#suspects.delete(socket);
    this.peakHeapMb = Math.max(this.peakHeapMb, mb);
    if (!isOver) return;
    this.#detach();
    this.#running.clear();
    this.#options.exceeded(`Worker exceeded memory limit: ${Math.round(mb)} MB`, null);
  }
}

function ask(socket: WebSocket, id: number, method: string): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, method }));
}

/** CPU time of the runtimes that this process has started, by process, ms; null where the system does not tell. */
function runtimeCpuMs(): Map<number, number> | null {
  try {
    return new Map(runtimes().map((pid) => [pid, cpuMsOf(pid)]));
  } catch {
    return null;
  }
}

let known: { at: number; pids: number[] } = { at: 0, pids: [] };
/** Children of this process that are workerd; they are looked up now and then. */
function runtimes(): number[] {
  if (Date.now() - known.at < 1_000 && known.pids.length > 0) return known.pids;
  const own = `/proc/${process.pid}/task`;
  const children = readdirSync(own).flatMap((task) =>
    readFileSync(`${own}/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  const pids = children.filter((pid) => nameOf(pid).startsWith("workerd"));
  known = { at: Date.now(), pids };
  return pids;
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}

function cpuMsOf(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const nanoseconds = tasks.map((task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]),
    );
    return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    // It has just ended.
    return 0;
  }
}
