import { createWriteStream, type WriteStream } from "node:fs";
import type { FaultKind } from "./faults/fault-rates.ts";
import type { MistakeKind } from "./mistakes/mistakes.ts";

/** One request, logged once its reply is decided. Never contains a key. */
export interface LogEntry {
  time: string;
  path: string;
  model: string;
  /** The dataset's sample id, else the request's key; null if not known yet. */
  sample: string | null;
  /** Number of this request for the model and sample, from 1; 0 if it was refused before. */
  attempt: number;
  authorized: boolean;
  /** Null: no status is ever sent. */
  status: number | null;
  fault: FaultKind | null;
  /** Simulated time to the last byte, ms; null if it never arrives. */
  latencyMs: number | null;
  mistakes: readonly MistakeKind[];
}

/** Maximum entries in memory, for tests; the file has all of them. */
const maxEntries = 20_000;

/** Keeps the latest requests, optionally writes all to a file, and counts those in flight. */
export class RequestLog {
  /** The latest entries, oldest first. */
  readonly entries: LogEntry[] = [];
  readonly #inFlight = new Map<string, number>();
  readonly #file: WriteStream | null;

  constructor(path?: string) {
    this.#file = path === undefined ? null : createWriteStream(path, { flags: "a" });
  }

  /** Counts a new open request; returns the number of the model's open requests, including it. */
  opened(model: string): number {
    const open = (this.#inFlight.get(model) ?? 0) + 1;
    this.#inFlight.set(model, open);
    return open;
  }

  /** Counts the end of a request. */
  closed(model: string): void {
    this.#inFlight.set(model, (this.#inFlight.get(model) ?? 1) - 1);
  }

  /** Logs a request. */
  add(entry: LogEntry): void {
    if (this.entries.length >= maxEntries) this.entries.splice(0, maxEntries / 2);
    this.entries.push(entry);
    this.#file?.write(`${JSON.stringify(entry)}\n`);
  }

  /** Resolves once the file is written. */
  async close(): Promise<void> {
    const file = this.#file;
    if (file !== null) await new Promise<void>((resolve) => file.end(resolve));
  }
}
