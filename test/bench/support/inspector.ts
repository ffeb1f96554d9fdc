/** A session with V8's inspector of a Worker under `wrangler dev`. */
export interface Inspector {
  /** Sends a command and gives its result. */
  send<T>(method: string, params?: object): Promise<T>;
  close(): void;
}

interface Message<T> {
  id?: number;
  result?: T;
  error?: { message: string };
}

/** Connects to the inspector; wrangler's takes local origins alone, of which Node's own type does not know. */
export async function connectInspector(port: number): Promise<Inspector> {
  const options = { headers: { origin: "http://localhost" } };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, options as unknown as string[]);
  const waiting = new Map<number, (message: Message<unknown>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(`${data}`) as Message<unknown>;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`no inspector on port ${port}`)));
  });
  let last = 0;
  return {
    send: <T>(method: string, params: object = {}) =>
      new Promise<T>((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve(result as T);
        });
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
