import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Json } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { root } from "../local/root.ts";
import type { AnswerIndexState } from "./answer-index.ts";
import type { AdmittedRow } from "./read-samples.ts";
import type { RowBlock, ScoredRow } from "./row-block.ts";
import type { ScoringRules } from "./score-row.ts";

/** Smaller files are scored faster than a thread starts. */
const FEWEST_BYTES = 4 << 20;

/** More threads would wait for the main thread, which computes the sums. */
const MOST_THREADS = 3;

/** Blocks per thread: one in progress and the next one. */
const BLOCKS_AT_ONCE = 2;

/** Number of additional threads for files of this size; 0 for small files or on one core. */
export const threadsFor = (bytes: number): number =>
  bytes < FEWEST_BYTES ? 0 : Math.min(MOST_THREADS, availableParallelism() - 1);

/** First message to a thread: scoring rules and positions of the answers. */
export interface ThreadRules extends Omit<ScoringRules, "suite"> {
  suiteId: string;
  index: AnswerIndexState;
}

/** A thread's reply for a block: its rows, or an error. */
export type ThreadReply =
  | { rows: ScoredRow<AdmittedRow>[] }
  | { error: string; isBadInput: boolean };

/** A block with the scores of its rows; a `row` has its content only if the main thread scored it. */
interface ScoredBlock {
  block: RowBlock;
  rows: ScoredRow<AdmittedRow & { row?: Json }>[];
}

interface Pending {
  block: RowBlock;
  isTaken: boolean;
  rows: ScoredBlock["rows"] | null;
}

/** Threads that score blocks of rows; they load their modules when created. */
export class ScoringThreads {
  readonly #threads: Thread[];
  #failure: Error | null = null;
  #wake: () => void = () => {};

  constructor(count: number) {
    const wake = (failure: Error | null) => {
      this.#failure ??= failure;
      this.#wake();
    };
    this.#threads = Array.from({ length: count }, () => new Thread(wake));
  }

  /**
   * The blocks in order with their scores. The main thread scores with `scoreHere` while all threads have
   * enough work, so only a few blocks are in memory; without threads, it scores all blocks.
   */
  async *score(
    blocks: Iterable<RowBlock>,
    rules: ThreadRules,
    scoreHere: (block: RowBlock) => ScoredBlock["rows"],
  ): AsyncGenerator<ScoredBlock> {
    for (const thread of this.#threads) thread.post(rules);
    const source = blocks[Symbol.iterator]();
    const pending: Pending[] = [];
    for (;;) {
      this.#fill(pending, source);
      // Lets the event loop process replies and signals.
      await setImmediate();
      if (this.#failure !== null) throw this.#failure;
      this.#handOut(pending);
      const [first] = pending;
      if (first === undefined) return;
      const free = pending.find(({ isTaken }) => !isTaken);
      if (first.rows !== null) {
        pending.shift();
        yield { block: first.block, rows: first.rows };
      } else if (free === undefined) await this.#reply();
      else {
        free.isTaken = true;
        free.rows = scoreHere(free.block);
      }
    }
  }

  /** Reads as many blocks as the threads can take, plus one for this thread. */
  #fill(pending: Pending[], source: Iterator<RowBlock>): void {
    while (pending.length < this.#threads.length * BLOCKS_AT_ONCE + 1) {
      const { done, value } = source.next();
      if (done) return;
      pending.push({ block: value, isTaken: false, rows: null });
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #handOut(pending: readonly Pending[]): void {
    const free = pending.filter(({ isTaken }) => !isTaken);
    for (const thread of this.#threads) {
      while (thread.blocks < BLOCKS_AT_ONCE && free.length > 0) thread.score(free.shift()!);
    }
  }

  /** Resolves when a thread replies or fails. */
  #reply(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A thread with its pending blocks. */
class Thread {
  readonly #worker: Worker;
  readonly #taken: Pending[] = [];

  constructor(wake: (failure: Error | null) => void) {
    this.#worker = new Worker(threadFile());
    this.#worker.on("error", (error) => wake(error as Error));
    this.#worker.on("message", (reply: ThreadReply) => {
      const pending = this.#taken.shift();
      if ("error" in reply) {
        wake(reply.isBadInput ? new BadInput(reply.error) : new Error(reply.error));
        return;
      }
      if (pending !== undefined) pending.rows = reply.rows;
      wake(null);
    });
  }

  get blocks(): number {
    return this.#taken.length;
  }

  post(rules: ThreadRules): void {
    this.#worker.postMessage(rules);
  }

  score(pending: Pending): void {
    pending.isTaken = true;
    this.#taken.push(pending);
    this.#worker.postMessage(pending.block);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The module of a thread, which is a separate bundle in the npm package. */
function threadFile(): string {
  const packed = join(root, "cli", "dist", "scoring-thread.js");
  return existsSync(packed) ? packed : join(root, "cli", "score", "scoring-thread.ts");
}
