import { readdirSync, readFileSync } from "node:fs";
import type { Usage } from "./limits.ts";

const EVERY_MS = 250;
/** Interval of garbage collections, each of which takes up to a third of a second. */
const COLLECTED_MS = 1_000;

interface Running {
  cpuMs: number;
  /** Maximum CPU time, after which the isolate ends; null: only measured. */
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
  /** Called when a limit is exceeded and the isolate has to end. `call`: the responsible invocation, if known. */
  exceeded: (why: string, call: string | null) => void;
}

/**
 * Watches memory and CPU time of the Workers' isolates. Memory: heap and buffers from V8's inspector, with a garbage
 * collection before half of the limit, so that only memory in use counts. Code may run between a collection and its
 * reading, and buffers are freed later, so an isolate exceeds the limit only if two such readings in a row, a second
 * apart, are above it. Misses memory that is allocated and freed between two readings. CPU time: that of the runtime's
 * process on Linux, shared equally among the running invocations; not measured on other systems.
 */
export class IsolateWatch {
  readonly #options: WatchOptions;
  readonly #running = new Map<string, Running>();
  readonly #sockets: WebSocket[] = [];
  readonly #timer: NodeJS.Timeout;
  /** CPU time so far, by process, ms. */
  #cpuMs = new Map<number, number>();
  #collectedAt = 0;
  /** Isolates whose last reading was above the limit. */
  readonly #suspects = new WeakSet<WebSocket>();
  /** Peak memory in use of one isolate, MB. */
  peakHeapMb = 0;
  /** Whether CPU time and memory can be measured. */
  isCpuKnown = false;
  isHeapKnown = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** Watches the isolates of a newly started runtime through their inspectors. */
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

  /** Starts to measure an invocation. `most`: its maximum CPU time, ms. */
  begin(call: string, most: number): void {
    this.#charge();
    const isAlone = this.#running.size === 0;
    for (const other of this.#running.values()) other.ranAlone = false;
    this.#running.set(call, {
      cpuMs: 0,
      // The Free plan's limit is too short to measure: a reading takes about as long.
      most: most < EVERY_MS ? null : most,
      ranAlone: isAlone,
    });
  }

  /** Adds the measured CPU time to an invocation's report. */
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

/** CPU time of the runtimes that this process has started, by process, ms; null: not available. */
function runtimeCpuMs(): Map<number, number> | null {
  try {
    return new Map(runtimes().map((pid) => [pid, cpuMsOf(pid)]));
  } catch {
    return null;
  }
}

let known: { at: number; pids: number[] } = { at: 0, pids: [] };
/** The workerd child processes of this process, looked up at most once a second. */
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
    // The process has just ended.
    return 0;
  }
}
