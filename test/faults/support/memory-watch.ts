import { execFile } from "node:child_process";

const PROCESSES_MS = 3_000;

/** Watches how much memory the runtime takes: the most that its processes held at once, MB. */
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
/** Looks between two collections, which take the processor for longer than anything else here. */
const LOOKS = 8;

/** What V8 says of an isolate's heap, bytes. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/** Commands to the inspector, by the id that its replies carry. */
const commands = [
  [1, "Runtime.getHeapUsage"],
  [2, "HeapProfiler.collectGarbage"],
  [3, "Runtime.getHeapUsage"],
] as const;

/**
 * Watches the heap of the Worker's own isolate through its inspector, buffers
 * included. The local runtime has no limit that makes it collect garbage as production's does, so that it is asked to
 * every two seconds, unless less is in use, with garbage, than was in use after an earlier collection. Peaks between two
 * looks are missed.
 */
export class HeapWatch {
  /** Most that was seen at once, MB, garbage not yet collected included. */
  peakMb = 0;
  /** Most that was in use right after a collection, MB. */
  livePeakMb = 0;
  #lastMb = 0;
  #looks = 0;
  #socket: WebSocket | null = null;
  #timer: NodeJS.Timeout | undefined;

  attach(port: number): void {
    this.detach();
    const socket = connect(port);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#read(`${data}`));
    // An inspector that is gone measures nothing, which the figures say.
    socket.addEventListener("error", () => {});
    this.#timer = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      const isTime = this.#looks++ % LOOKS === 0 && this.#lastMb >= this.livePeakMb;
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

/** The inspector takes local origins alone; Node's own type does not know of headers. */
function connect(port: number): WebSocket {
  const options = { headers: { origin: "http://localhost" } };
  return new WebSocket(
    `ws://127.0.0.1:${port}/core:user:assay-local`,
    options as unknown as string[],
  );
}
