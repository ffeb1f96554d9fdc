import { readFileSync } from "node:fs";
import { isJsonObject, type JsonObject, parsedJson } from "../shared/contracts/json.ts";
import type { Result } from "../shared/contracts/result.ts";
import { BatchDesk, parseBatchFaults } from "./batches/batch-desk.ts";
import { parseFaults } from "./faults/fault-rates.ts";
import { findModel, type NamedModel, type NameError } from "./model-name.ts";
import type { ParsedChat } from "./parse-chat.ts";
import { RequestLog } from "./request-log.ts";
import { extractionResponder, structuredResponder } from "./responders/extraction.ts";
import { judgesResponder } from "./responders/judges.ts";
import { memoryResponder, stagesResponder } from "./responders/memory.ts";
import { pairsResponder } from "./responders/pairs.ts";
import { proseResponder } from "./responders/prose.ts";
import type { Claim, MakeResponder } from "./responders/responder.ts";
import { rubricResponder } from "./responders/rubric.ts";
import { slotsResponder } from "./responders/slots.ts";
import { toolsResponder } from "./responders/tools.ts";

/** Options of a simulator. */
export interface SimulatorOptions {
  /** Seed of all random choices; "1" by default. */
  seed?: string | number;
  /** Datasets whose samples it recognises. */
  datasets?: readonly DatasetSource[];
  /** File for the log, one JSON line per request. */
  log?: string;
  /** Faults of all requests, such as `429:0.1,cut:0.02`; model names and headers can override them. */
  faults?: string;
  /** Other names of models, such as a real judge's; from the day `ends` on (ISO 8601), the name is unknown. */
  aliases?: Readonly<Record<string, { model: string; ends?: string }>>;
  /** Factor for all latencies of the catalogue; 0 answers at once. 1 by default. */
  latencyScale?: number;
  /** The only accepted key; by default any key, or none, except `sk-wrong`. */
  apiKey?: string;
  /** Duration of a `slow-body`, ms; 3,000 by default. */
  slowBodyMs?: number;
  /** Size of a `huge` body, bytes; 2³⁰ by default. */
  hugeBytes?: number;
  /** Time until a batch has ended, ms; 5,000 by default. */
  batchMs?: number;
  /** Faults of batches, such as `expired:0.2,busy:0.5`. */
  batchFaults?: string;
}

/** A simulator's settings, and its state between requests. */
export type Simulation = ReturnType<typeof createSimulation>;

/** Creates a simulation. Throws a one-sentence message for an invalid option. */
export function createSimulation(options: SimulatorOptions) {
  const faults = parseFaults(options.faults ?? "");
  const claim = responderFor(loadDatasets(options.datasets ?? []));
  const found = new Map<string, Result<NamedModel, NameError>>();
  const aliases = Object.entries(options.aliases ?? {});
  const offered = () =>
    new Map(aliases.filter(([, { ends }]) => !ends || Date.parse(ends) > Date.now()));
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
    batches: new BatchDesk(options.batchMs ?? 5_000, parseBatchFaults(options.batchFaults ?? "")),
    model(asked: string): Result<NamedModel, NameError> {
      const name = offered().get(asked)?.model ?? asked;
      return found.get(name) ?? remember(found, name, findModel(name));
    },
    /** The aliases that have not ended. */
    offered,
    /** Number of this request for the model and sample, from 1. */
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
 * All rows of all datasets, in order. Skips lines that are not JSON objects, because datasets with malformed rows are
 * evaluated, too. Throws a one-sentence message for an unreadable file.
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
    const row = parsedJson(line);
    return isJsonObject(row) ? [row] : [];
  });
}

/**
 * The first responder that claims a request answers it. So: those with samples before the generic one, whole
 * conversations before single texts, and judges before all whose samples they may be shown.
 */
const makers: readonly MakeResponder[] = [
  stagesResponder,
  pairsResponder,
  judgesResponder,
  memoryResponder,
  rubricResponder,
  toolsResponder,
  slotsResponder,
  extractionResponder,
  structuredResponder,
];

/** Finds the responder of a request, given the datasets; unclaimed requests are answered in prose. */
function responderFor(rows: readonly JsonObject[]): (request: ParsedChat) => Claim {
  const responders = makers.map((make) => make(rows));
  const prose = proseResponder(rows);
  return (request) => {
    for (const responder of responders) {
      const claim = responder.claim(request);
      if (claim !== null) return claim;
    }
    return prose.claim(request);
  };
}
