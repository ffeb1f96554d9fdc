import type { RunRecord } from "../platform/ports.ts";
import type { drifts } from "../schedules/schema.ts";

export type DriftRecord = typeof drifts.$inferSelect;

/** What was found of a run, with the run. */
export interface WatchedRun {
  run: RunRecord;
  record: DriftRecord;
}

/** A run that is news, without the larger columns of its row: the snapshot lists hundreds of them. */
export interface NewsOfRun {
  run: Pick<
    RunRecord,
    "id" | "model" | "modelSlug" | "suite" | "datasetName" | "datasetVersion" | "headline"
  >;
  record: DriftRecord;
}

/** How finished runs lie to those before them. */
export interface DriftStore {
  get(runId: string): Promise<DriftRecord | null>;
  /** The places of a series that are taken so far, one past the last; and that of its newest covered run. */
  places(series: string): Promise<{ length: number; newest: number | null }>;
  /** The newest covered ones before `position`, newest first, but for what nobody may read any more. */
  before(series: string, position: number, limit: number): Promise<WatchedRun[]>;
  /** A reference and the first re-evaluations that were held against it, oldest first. */
  since(referenceId: string, limit: number): Promise<WatchedRun[]>;
  /** False where the run or its place is taken. */
  insert(record: DriftRecord): Promise<boolean>;
  /** Replaces what was found of a run. Throws where its place was taken just now. */
  replace(record: DriftRecord): Promise<void>;
  /** Flagged ones of public runs, newest first. */
  flagged(limit: number): Promise<NewsOfRun[]>;
  /** Public runs that are the first on another version of their dataset, newest first. */
  datasetChanged(limit: number): Promise<NewsOfRun[]>;
  /** The newest of a series before `position` that was flagged; null: none was. */
  lastFlagged(series: string, position: number): Promise<WatchedRun | null>;
  /** Of a model's public finished runs, with what was found of each, oldest first. */
  ofModel(slug: string): Promise<{ run: RunRecord; record: DriftRecord | null }[]>;
  /** Runs that finished in between and should have been looked at, but were not. */
  unwatched(after: number, before: number, limit: number): Promise<string[]>;
}
