import { setTimeout } from "node:timers/promises";
import type { JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../../errors.ts";
import type { Answerer, AskedLine } from "./asked-line.ts";
import { nextId, ProgramProcess, type ProgramSpec } from "./program-process.ts";
import { TargetFailure } from "./target-failure.ts";

/** How long a program is watched before the first line, since a mistyped command ends within milliseconds. */
const WATCH_MS = 300;
/** Time for programs to end after the end of their input, and again after a signal. */
const GRACE_MS = 2_000;
/** Number of programs that may end without an answer before no more are started. */
const MOST_FRUITLESS = 3;

interface PoolSize {
  /** Number of parallel processes. */
  processes: number;
  /** Maximum open lines per process. */
  linesEach: number;
}

interface Waiting {
  line: AskedLine;
  signal: AbortSignal;
  /** Whether the line was already sent to a process that had ended. */
  isAgain: boolean;
  resolve(result: { answer: JsonObject; workedMs: number }): void;
  reject(reason: unknown): void;
}

/** Runs several processes of a program and sends each line to the process with the fewest open lines. */
export class ProgramPool implements Answerer {
  readonly #spec: ProgramSpec;
  readonly #size: PoolSize;
  readonly #running = new Set<ProgramProcess>();
  readonly #waiting: Waiting[] = [];
  #hasAnswered = false;
  #fruitless = 0;
  #lastEnd = "";
  #isStopping = false;

  constructor(spec: ProgramSpec, size: PoolSize) {
    this.#spec = spec;
    this.#size = size;
  }

  /** Starts all processes. Throws BadInput if one ends immediately. */
  async start(): Promise<void> {
    const started = Array.from({ length: this.#size.processes }, () => this.#spawn());
    const ends = started.map(({ end }) => end);
    const ended = await Promise.race([...ends, setTimeout(WATCH_MS, null)]);
    if (ended !== null) throw new BadInput(`${ended} (before it received a line)`);
  }

  ask(line: AskedLine, signal: AbortSignal): Promise<{ answer: JsonObject; workedMs: number }> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const one = { line, signal, isAgain: false, resolve, reject };
      this.#waiting.push(one);
      signal.addEventListener("abort", () => this.#giveUp(one), { once: true });
      this.#dispatch();
    });
  }

  /** Ends all programs and their child processes, after time to finish at the end of their input. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const ended = Promise.all([...this.#running].map(({ end }) => end));
    for (const one of this.#running) one.endInput();
    await Promise.race([ended, setTimeout(GRACE_MS)]);
    for (const one of this.#running) one.signal("SIGTERM");
    await Promise.race([ended, setTimeout(GRACE_MS)]);
    this.kill();
  }

  /** Kills all programs and their child processes immediately. */
  kill(): void {
    this.#isStopping = true;
    for (const one of this.#running) one.signal("SIGKILL");
  }

  #spawn(): ProgramProcess {
    const made = new ProgramProcess(this.#spec);
    this.#running.add(made);
    void made.end.then((how) => {
      this.#lastEnd = how;
      // Its child processes may still run.
      made.signal("SIGKILL");
      this.#running.delete(made);
      if (!this.#hasAnswered && !made.isGivenUp) this.#fruitless += 1;
      this.#dispatch();
    });
    return made;
  }

  /** Sends waiting lines to free processes, and starts missing processes. */
  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const free = this.#free();
      if (free === null) return;
      void this.#give(this.#waiting.shift()!, free);
    }
  }

  /** The process for the next line, started if missing; null if the line waits or is refused. */
  #free(): ProgramProcess | null {
    const { processes, linesEach } = this.#size;
    const all = [...this.#running].filter(({ isUsable }) => isUsable);
    const [freest] = all.sort((a, b) => a.busy - b.busy);
    const isStarted = all.length >= processes;
    if (freest !== undefined && freest.busy < (isStarted ? linesEach : 1)) return freest;
    if (isStarted || this.#isStopping) return null;
    if (this.#hasAnswered || this.#fruitless < Math.max(MOST_FRUITLESS, processes)) {
      return this.#spawn();
    }
    const message = "the program ended repeatedly without an answer";
    const failed = new TargetFailure(424, `${message}: ${this.#lastEnd}`);
    for (const { reject } of this.#waiting.splice(0)) reject(failed);
    return null;
  }

  async #give(one: Waiting, to: ProgramProcess): Promise<void> {
    const { line, signal, resolve, reject } = one;
    const id = nextId();
    const sentAt = performance.now();
    const abandon = () => {
      to.forget(id);
      // The process would first answer the abandoned line.
      if (this.#size.linesEach === 1) to.giveUp();
      const { reason } = signal;
      const isTail = reason instanceof TargetFailure && reason.status === 408;
      reject(isTail ? new TargetFailure(408, to.withTail(reason.message)) : reason);
      this.#dispatch();
    };
    signal.addEventListener("abort", abandon, { once: true });
    try {
      const answer = await to.ask(id, line);
      this.#hasAnswered = true;
      resolve({ answer, workedMs: performance.now() - sentAt });
    } catch (error) {
      // The process had ended before it got the line.
      const isMissed = to.isDone && !one.isAgain;
      if (!isMissed) reject(error);
      else this.#waiting.unshift(Object.assign(one, { isAgain: true }));
    } finally {
      signal.removeEventListener("abort", abandon);
      this.#dispatch();
    }
  }

  /** Rejects a line that was not sent to a process. */
  #giveUp(one: Waiting): void {
    const at = this.#waiting.indexOf(one);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    one.reject(one.signal.reason);
  }
}
