import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What the loop asks: each prompt once, so many at once. */
export interface AskedOfSdk {
  model: string;
  prompts: readonly string[];
  concurrency: number;
}

/** A bare loop of the `openai` package in a process of its own, as a script that only fetches answers. */
export class SdkLoop {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(baseUrl: string): Promise<SdkLoop> {
    const child = fork(join(import.meta.dirname, "sdk-process.ts"), [baseUrl]);
    await once(child, "message");
    return new SdkLoop(child);
  }

  /** Wall time of all requests, ms. */
  async ask(asked: AskedOfSdk): Promise<number> {
    const answered = once(this.#child, "message");
    this.#child.send(asked);
    const [wallMs] = await answered;
    return wallMs as number;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}
