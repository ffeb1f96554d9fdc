import { createWriteStream, type WriteStream } from "node:fs";
import type { FaultKind } from "./faults/fault-rates.ts";
import type { MistakeKind } from "./mistakes/mistakes.ts";

/** One request, written down when it is decided how to answer it. Never holds a key. */
export interface LogEntry {
  time: string;
  path: string;
  model: string;
  /** Id of the dataset's sample, else the key of the request; null before it is known. */
  sample: string | null;
  /** Which request for this model and sample it is, from 1; 0 when it was refused before. */
  attempt: number;
  authorized: boolean;
  /** Null: none is ever sent. */
  status: number | null;
  fault: FaultKind | null;
  /** Simulated time to the last byte; null when it never comes. */
  latencyMs: number | null;
  mistakes: readonly MistakeKind[];
}

/** What was asked of one model name. */
export interface ModelCounts {
  requests: number;
  /** Most requests that were open at once. */
  peakInFlight: number;
  statuses: Record<string, number>;
  faults: Record<string, number>;
  /** Statuses by sample. */
  samples: Record<string, Record<string, number>>;
}

/** Entries kept in memory: enough for tests; the file has them all. */
const maxEntries = 20_000;

/** Counts requests by model, keeps the latest entries, and writes them to a file if asked to. */
export class RequestLog {
  /** The latest entries, oldest first. */
  readonly entries: LogEntry[] = [];
  readonly #models = new Map<string, ModelCounts & { inFlight: number }>();
  readonly #file: WriteStream | null;

  constructor(path?: string) {
    this.#file = path === undefined ? null : createWriteStream(path, { flags: "a" });
  }

  /** Counts a request as open; returns how many of the model are open now, itself included. */
  opened(model: string): number {
    const counts = this.#model(model);
    counts.inFlight += 1;
    counts.peakInFlight = Math.max(counts.peakInFlight, counts.inFlight);
    return counts.inFlight;
  }

  /** Counts a request as no longer open. */
  closed(model: string): void {
    this.#model(model).inFlight -= 1;
  }

  /** Writes a request down. */
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

  /** All counts, by model name as requested. */
  counts(): Record<string, ModelCounts> {
    return Object.fromEntries(
      [...this.#models].map(([name, { inFlight: _, ...counts }]) => [name, counts]),
    );
  }

  /** Resolves when the file is written. */
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
