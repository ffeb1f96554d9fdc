const EVERY_MS = 250;

/** What V8 says of an isolate's heap, bytes. */
interface HeapUsage {
  usedSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
}

/**
 * Watches the heap of the Worker's own isolate through the inspector of `wrangler dev`: the most that
 * was seen at once, MB, garbage not yet collected and buffers included. Peaks between two looks are
 * missed.
 */
export class HeapWatch {
  peakMb = 0;
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
      socket.send(JSON.stringify({ id: 1, method: "Runtime.getHeapUsage" }));
    }, EVERY_MS);
  }

  detach(): void {
    clearInterval(this.#timer);
    this.#socket?.close();
    this.#socket = null;
  }

  #read(message: string): void {
    if (!message.includes("usedSize")) return;
    const { result } = JSON.parse(message) as { result?: HeapUsage };
    if (result === undefined) return;
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = result;
    const bytes = usedSize + embedderHeapUsedSize + backingStorageSize;
    this.peakMb = Math.max(this.peakMb, bytes / 2 ** 20);
  }
}

/** Wrangler's inspector takes local origins alone; Node's own type does not know of headers. */
function connect(port: number): WebSocket {
  const options = { headers: { origin: "http://localhost" } };
  return new WebSocket(`ws://127.0.0.1:${port}/ws`, options as unknown as string[]);
}
