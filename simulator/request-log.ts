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
  /** Which request for this model and sample it is, from 1; 0 when it was refused before. */
  attempt: number;
  authorized: boolean;
  /** Null: no status is ever sent. */
  status: number | null;
  fault: FaultKind | null;
  /** Simulated time to the last byte, ms; null if it never arrives. */
  latencyMs: number | null;
  mistakes: readonly MistakeKind[];
}

/** Counts for one model name. */
export interface ModelCounts {
  requests: number;
  /** Maximum number of concurrent requests. */
  peakInFlight: number;
  statuses: Record<string, number>;
  faults: Record<string, number>;
  /** Statuses by sample. */
  samples: Record<string, Record<string, number>>;
}

/** Maximum entries in memory, for tests; the file has all of them. */
const maxEntries = 20_000;

/** Counts requests by model, keeps the latest entries, and optionally writes all to a file. */
export class RequestLog {
  /** The latest entries, oldest first. */
  readonly entries: LogEntry[] = [];
  readonly #models = new Map<string, ModelCounts & { inFlight: number }>();
  readonly #file: WriteStream | null;

  constructor(path?: string) {
    this.#file = path === undefined ? null : createWriteStream(path, { flags: "a" });
  }

  /** Counts a new open request; returns the number of the model's open requests, including it. */
  opened(model: string): number {
    const counts = this.#model(model);
    counts.inFlight += 1;
    counts.peakInFlight = Math.max(counts.peakInFlight, counts.inFlight);
    return counts.inFlight;
  }

  /** Counts the end of a request. */
  closed(model: string): void {
    this.#model(model).inFlight -= 1;
  }

  /** Logs a request. */
  add(entry: LogEntry): void {
    const counts = this.#model(entry.model);
    const status = String(entry.status);
    counts.requests += 1;
    increment(counts.statuses, status);
    if (entry.fault !== null) increment(counts.faults, entry.fault);
    if (entry.sample !== null) {
      counts.samples[entry.sample] ??= {};
      increment(counts.samples[entry.sample] ?? {}, status);
    }
    if (this.entries.length >= maxEntries) this.entries.splice(0, maxEntries / 2);
    this.entries.push(entry);
    this.#file?.write(`${JSON.stringify(entry)}\n`);
  }

  /** All counts, by requested model name. */
  counts(): Record<string, ModelCounts> {
    return Object.fromEntries(
      [...this.#models].map(([name, { inFlight: _, ...counts }]) => [name, counts]),
    );
  }

  /** Resolves once the file is written. */
  async close(): Promise<void> {
    const file = this.#file;
    if (file !== null) await new Promise<void>((resolve) => file.end(resolve));
  }

  #model(name: string) {
    let counts = this.#models.get(name);
    if (counts === undefined) {
      counts = { requests: 0, peakInFlight: 0, inFlight: 0, statuses: {}, faults: {}, samples: {} };
      this.#models.set(name, counts);
    }
    return counts;
  }
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
