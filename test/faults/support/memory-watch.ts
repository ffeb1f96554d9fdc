import { execFile } from "node:child_process";

const PROCESSES_MS = 3_000;

/** Watches the runtime's memory: the peak of the sum over its processes, MB. */
export class MemoryWatch {
  peakMb = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(groups: () => readonly number[]) {
    this.#timer = setInterval(() => this.#look(new Set(groups())), PROCESSES_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(groups: ReadonlySet<number>): void {
    execFile("ps", ["-eo", "pgid=,rss=,comm="], (error, output) => {
      if (error) return;
      const mb = output.split("\n").reduce((sum, line) => {
        const [group, kilobytes, command] = line.trim().split(/\s+/);
        const isOurs = groups.has(Number(group)) && command?.includes("workerd");
        return isOurs ? sum + Number(kilobytes) / 1024 : sum;
      }, 0);
      this.peakMb = Math.max(this.peakMb, mb);
    });
  }
}

const HEAP_MS = 250;
/** Heap readings per garbage collection, which needs much more CPU time than a reading. */
const READINGS_PER_COLLECTION = 8;

/** V8's figures of an isolate's heap, bytes. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** Commands to the inspector with the ids of their replies. */
const commands = [
  [1, "Runtime.getHeapUsage"],
  [2, "HeapProfiler.collectGarbage"],
  [3, "Runtime.getHeapUsage"],
] as const;

/**
 * Watches the heap of the Worker's isolate with its buffers through the inspector. The local runtime has no limit that
 * makes it collect garbage like production, so this requests a collection every two seconds, unless the heap with
 * garbage is below an earlier heap without. Misses peaks between two readings.
 */
export class HeapWatch {
  /** Peak heap including garbage, MB. */
  peakMb = 0;
  /** Peak heap right after a collection, MB. */
  livePeakMb = 0;
  #lastMb = 0;
  #readings = 0;
  #socket: WebSocket | null = null;
  #timer: NodeJS.Timeout | undefined;

  attach(port: number): void {
    this.detach();
    const socket = connect(port);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#read(`${data}`));
    // Without an inspector nothing is measured, which `checkFigures` reports.
    socket.addEventListener("error", () => {});
    this.#timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      const isTime =
        this.#readings++ % READINGS_PER_COLLECTION === 0 && this.#lastMb >= this.livePeakMb;
      for (const [id, method] of isTime ? commands : commands.slice(0, 1)) {
        socket.send(JSON.stringify({ id, method }));
      }
    }, HEAP_MS);
  }

  detach(): void {
    clearInterval(this.#timer);
    this.#socket?.close();
    this.#socket = null;
  }

  #read(message: string): void {
    if (!message.includes("usedSize")) return;
    const { id, result } = JSON.parse(message) as { id?: number; result?: HeapUsage };
    if (result === undefined) return;
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = result;
    const mb = (usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20;
    this.#lastMb = mb;
    this.peakMb = Math.max(this.peakMb, mb);
    if (id === 3) this.livePeakMb = Math.max(this.livePeakMb, mb);
  }
}

/** The inspector accepts only local origins. Node's type for WebSocket lacks the option `headers`. */
function connect(port: number): WebSocket {
  const options = { headers: { origin: "http://localhost" } };
  return new WebSocket(
    `ws://127.0.0.1:${port}/core:user:assay-local`,
    options as unknown as string[],
  );
}
