import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../cli/local/root.ts";

/** `assay runner` in its own process, which can be killed and started again with the same key. */
export class RunnerProcess {
  readonly #args: readonly string[];
  readonly #folder: string;
  readonly #log: string;
  #child: ChildProcess | null = null;

  /** `folder`: holds the key and the log. `more`: further arguments. */
  constructor(folder: string, name: string, more: readonly string[]) {
    this.#folder = folder;
    this.#log = join(folder, `${name}.log`);
    this.#args = [join(root, "cli", "assay.mjs"), "runner", "--name", "lab", "--json", ...more];
  }

  start(): void {
    const log = openSync(this.#log, "a");
    writeSync(log, '{"state":"starting"}\n');
    const env = { ...process.env, ASSAY_FOLDER: this.#folder };
    this.#child = spawn(process.execPath, this.#args, { env, stdio: ["ignore", log, log] });
    closeSync(log);
  }

  /** Whether it is alive and has requests in flight. */
  get isWorking(): boolean {
    if (this.#child === null) return false;
    // Other states, such as an outage, are ignored.
    const states = readFileSync(this.#log, "utf8").matchAll(/"state":"(starting|idle|working)"/g);
    return [...states].at(-1)?.[1] === "working";
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return child?.exitCode ?? null;
    const ended = once(child, "exit");
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }
}
