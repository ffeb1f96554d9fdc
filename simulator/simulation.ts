import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject } from "../shared/contracts/json.ts";
import type { Result } from "../shared/contracts/result.ts";
import { parseFaults } from "./faults/fault-rates.ts";
import { findModel, type NamedModel, type NameError } from "./model-name.ts";
import { RequestLog } from "./request-log.ts";
import { responderFor } from "./responders/responder-for.ts";

/** How a simulator behaves. */
export interface SimulatorOptions {
  /** Decides every random choice; "1" by default. */
  seed?: string | number;
  /** Datasets whose samples it recognises. */
  datasets?: readonly DatasetSource[];
  /** File that gets one JSON line a request. */
  log?: string;
  /** Faults of every request, such as `429:0.1,cut:0.02`; names and headers may replace them. */
  faults?: string;
  /** Multiplies every catalogue latency: 0 answers at once. 1 by default. */
  latencyScale?: number;
  /** The one key accepted; by default any key, or none, but `sk-wrong`. */
  apiKey?: string;
  /** Time that a `slow-body` takes; 3,000 by default. */
  slowBodyMs?: number;
  /** Length of a `huge` body; 2³⁰ by default. */
  hugeBytes?: number;
}

/** A simulator's settings and what it remembers between requests. */
export type Simulation = ReturnType<typeof createSimulation>;

/** Sets a simulation up. Throws one sentence for an option that can't be used. */
export function createSimulation(options: SimulatorOptions) {
  const faults = parseFaults(options.faults ?? "");
  const claim = responderFor(loadDatasets(options.datasets ?? []));
  const found = new Map<string, Result<NamedModel, NameError>>();
  const attempts = new Map<string, number>();
  return {
    seed: String(options.seed ?? 1),
    faults,
    latencyScale: options.latencyScale ?? 1,
    apiKey: options.apiKey ?? null,
    slowBodyMs: options.slowBodyMs ?? 3_000,
    hugeBytes: options.hugeBytes ?? 2 ** 30,
    log: new RequestLog(options.log),
    claim,
    model: (name: string) => found.get(name) ?? remember(found, name, findModel(name)),
    /** Which request for this model and sample is coming in, from 1. */
    nextAttempt(model: string, key: string): number {
      const slot = `${model}\n${key}`;
      return remember(attempts, slot, (attempts.get(slot) ?? 0) + 1);
    },
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.set(key, value);
  return value;
}

/** The path of a JSONL file, or its rows. */
type DatasetSource = string | readonly JsonObject[];

/**
 * All rows of all datasets, in order. Lines that are not JSON objects are left out, since datasets
 * with malformed rows are evaluated too. Throws one sentence for a file that can't be read.
 */
export function loadDatasets(sources: readonly DatasetSource[]): JsonObject[] {
  return sources.flatMap((source) => (typeof source === "string" ? readRows(source) : source));
}

function readRows(path: string): JsonObject[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`The dataset ${path} can't be read: ${(error as Error).message}.`);
  }
  return text.split("\n").flatMap((line) => {
    const row = parseLine(line);
    return row === null ? [] : [row];
  });
}

function parseLine(line: string): JsonObject | null {
  try {
    const row: unknown = JSON.parse(line);
    return isJsonObject(row) ? row : null;
  } catch {
    return null;
  }
}
