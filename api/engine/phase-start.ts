import type { Charge } from "../platform/limit-ports.ts";
import type { RunRecord } from "../platform/ports.ts";

/** With what a run goes into a phase; `origin`: what the cap on requests across runs goes by. */
export interface PhaseStart {
  phase: RunRecord["phase"];
  lanes: number;
  concurrency: number;
  slotLimit: number;
  origin: string | null;
  /** Units before it stand in leases, or are done. */
  cursor: number;
}

/** How the answers of a run come to be judged; `pending`: units by lane, of every lane. */
export interface JudgingStart {
  run: Pick<RunRecord, "id" | "retries">;
  now: number;
  pending: readonly number[][];
  start: PhaseStart;
}

/** What a retry changes of a run that ended at `endedAt`. */
export interface RunRetry {
  /** Tells one retry from another, so that one whose reply was lost can be sent again. */
  id: string;
  runId: string;
  endedAt: number;
  now: number;
  /** Rows that go. */
  seqs: readonly number[];
  /** Rows that are judged again. */
  toJudge: readonly number[];
  start: PhaseStart;
  /** Units to carry out again, lane by lane: of every lane of the run. */
  pending: readonly number[][];
  sealedSecrets: string | null;
  note: string;
  /** Whose quota takes what was given back of the run, its samples as they were read; null: nobody's. */
  charge: Charge | null;
}
