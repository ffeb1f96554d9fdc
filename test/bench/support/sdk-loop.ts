import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { Times } from "./tree-cpu.ts";

/** A bare loop with the `openai` package in its own process, like a script that only fetches answers. */
export class SdkLoop {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(baseUrl: string): Promise<SdkLoop> {
    const child = fork(join(import.meta.dirname, "sdk-process.ts"), [baseUrl]);
    await messageOf(child);
    return new SdkLoop(child);
  }

  /** Sends bodies of streamed requests. */
  async ask(bodies: readonly JsonObject[], concurrency: number): Promise<Times> {
    const answered = messageOf(this.#child);
    this.#child.send({ bodies, concurrency });
    return (await answered) as Times;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}

/** The next message of a process; rejects if it ends instead. */
export async function messageOf(child: ChildProcess): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    const message = once(child, "message", { signal }).then(([first]: unknown[]) => first);
    const ended = once(child, "exit", { signal }).then(() => {
      throw new Error(`${child.spawnargs.at(1)} ended; its error is printed above`);
    });
    for (const one of [message, ended]) one.catch(() => {});
    return await Promise.race([message, ended]);
  } finally {
    waiting.abort();
  }
}
