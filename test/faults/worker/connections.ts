import { AsyncLocalStorage } from "node:async_hooks";
import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";
import type { Hazard } from "./hazard.ts";

/** Connections of one invocation that may wait for response headers at once. */
const MAX_OPEN = 6;

/**
 * Production's limit, which local runtimes lack: the seventh open connection of an invocation waits until one of the
 * six has its response headers. Model calls, R2 and Queues count.
 */
export class Connections {
  /** Number of connections, and of those that had to wait. */
  opened = 0;
  held = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  /** Makes a call that occupies a connection until its promise settles. */
  async hold<T>(call: () => Promise<T>): Promise<T> {
    if (this.#open >= MAX_OPEN) {
      this.held += 1;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#open += 1;
    this.opened += 1;
    try {
      return await call();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#open -= 1;
    }
  }
}

const current = new AsyncLocalStorage<Connections>();
const { fetch: realFetch } = globalThis;

/** Makes `fetch` count against the connections of its invocation. */
export function limitFetch(): void {
  globalThis.fetch = ((...args: Parameters<typeof fetch>) => {
    const connections = current.getStore();
    return connections ? connections.hold(() => realFetch(...args)) : realFetch(...args);
  }) as typeof fetch;
}

/** Runs an invocation whose `fetch` uses the given connections. */
export const within = <T>(connections: Connections, run: () => Promise<T>): Promise<T> =>
  current.run(connections, run);

/** Bindings whose calls sometimes fail and, except for D1, occupy connections. */
export function failingBindings(env: Env, hazard: Hazard, connections: Connections): Env {
  return interceptedBindings(env, ({ part, method }, proceed) => {
    const faulty = () =>
      hazard.around(part, async () => {
        if (method === "put") await hazard.stall();
        return proceed();
      });
    return part === "D1" ? faulty() : connections.hold(faulty);
  });
}
