import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StoredSample } from "../../api/runs/stored-samples.ts";
import type { LogEntry } from "../../simulator/request-log.ts";

/** The checked columns of the table `runs`. */
export interface RunRow {
  id: string;
  /** Replaced by the run's name on the stage, because several runs have the same model. */
  model_slug: string;
  status: string;
  status_reason: string | null;
  total: number;
  done: number;
  failed: number;
  input_tokens: number;
  output_tokens: number;
  metrics: string | null;
  sealed_secrets: string | null;
  board_id: string | null;
  started_at: number | null;
  finished_at: number | null;
  idle_ms: number;
  parent_id: string | null;
  /** Ids of the retries. */
  retries: string[];
  dataset_version: string;
  options: string;
}

/** A row of the table `samples`. */
export interface SampleRow {
  seq: number;
  sample_id: string;
  status: string;
  covered: number;
  score: number | null;
  latency_ms: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  requests: number;
  attempts: number;
  queue_wait_ms: number | null;
  retry_wait_ms: number | null;
  done_ms: number | null;
  error_class: string | null;
  object: string;
}

/** Everything that is stored of a run, and its requests in the simulator's log. */
export interface RunEvidence {
  run: RunRow;
  rows: SampleRow[];
  /** Objects of the run by key, as stored. */
  objects: ReadonlyMap<string, string>;
  /** The samples that the rows refer to, by their index in the run. */
  stored: ReadonlyMap<number, StoredSample>;
  /** Requests by sample id, oldest first. */
  asked: ReadonlyMap<string, readonly LogEntry[]>;
}

/** A service can hold the lock for a while after it stopped. */
const LOCK_MS = 60_000;

/** Opens the database of a stopped service. */
export function openDatabase(state: string): DatabaseSync {
  const folder = join(state, "v3", "d1", "miniflare-D1DatabaseObject");
  const file = readdirSync(folder).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (file === undefined) throw new Error(`there is no database in ${folder}`);
  return new DatabaseSync(join(folder, file), { timeout: LOCK_MS });
}

export const allRuns = (database: DatabaseSync): RunRow[] =>
  database
    .prepare("SELECT * FROM runs ORDER BY id")
    .all()
    .map((row) => ({ ...row, retries: JSON.parse(`${row["retries"]}`) }) as unknown as RunRow);

/** Collects everything that is stored of a run. */
export function evidenceOf(
  database: DatabaseSync,
  run: RunRow,
  objects: ReadonlyMap<string, string>,
  log: readonly LogEntry[],
): RunEvidence {
  const rows = database
    .prepare("SELECT * FROM samples WHERE run_id = ? ORDER BY seq")
    .all(run.id) as unknown as SampleRow[];
  const asked = Map.groupBy(log, ({ sample }) => sample ?? "");
  return { run, rows, objects, stored: storedSamples(rows, objects), asked };
}

function storedSamples(rows: readonly SampleRow[], objects: ReadonlyMap<string, string>) {
  const stored = new Map<number, StoredSample>();
  for (const [key, inObject] of Map.groupBy(rows, ({ object }) => object)) {
    const seqs = new Set(inObject.map(({ seq }) => seq));
    for (const sample of JSON.parse(objects.get(key) ?? "[]") as StoredSample[]) {
      if (seqs.has(sample.seq)) stored.set(sample.seq, sample);
    }
  }
  return stored;
}
