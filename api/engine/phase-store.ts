import { type Charge, isOverQuota } from "../keys/quota-store.ts";
import {
  addSpend,
  type estimatedSpend,
  type SpendLimit,
  withinLimit,
} from "../operator/spend-store.ts";
import { hasLiveChild } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { ALL_SAMPLES, type RunRecord, type SampleTable, sampleTables } from "../runs/schema.ts";

/** The state with which a run enters a phase; `origin`: key of the cap on requests across runs. */
export interface PhaseStart {
  phase: RunRecord["phase"];
  lanes: number;
  concurrency: number;
  slotLimit: number;
  origin: string | null;
  /** Units before it are leased or done. */
  cursor: number;
}

/** Starts judging a run's answers; `pending`: units of every lane. */
export interface JudgingStart {
  run: Pick<RunRecord, "id" | "retries">;
  now: number;
  pending: readonly number[][];
  start: PhaseStart;
}

/** What a retry changes in a run that ended at `endedAt`. */
export interface RunRetry {
  /** Identifies the retry, so that it can be sent again after a lost reply. */
  id: string;
  runId: string;
  sampleTable: SampleTable;
  endedAt: number;
  now: number;
  seqs: readonly number[];
  toJudge: readonly number[];
  start: PhaseStart;
  /** Units to execute again, for every lane of the run. */
  pending: readonly number[][];
  sealedSecrets: string | null;
  note: string;
  /** Quota that pays for samples whose charge was refunded; null: none. */
  charge: Charge | null;
  /** Limit of the judges' cost, and the estimated cost of the retry as stored; null: none. */
  spend: { limit: SpendLimit; estimate: ReturnType<typeof estimatedSpend> } | null;
}

/**
 * SQL part of an UPDATE that sets a run to the start of a phase; the parameter is a `PhaseStart` as JSON.
 * @example PHASE_START("?3")
 */
const PHASE_START = (start: string): string => `
    phase = ${start} ->> 'phase', lanes = ${start} ->> 'lanes',
    concurrency = ${start} ->> 'concurrency', slot_limit = ${start} ->> 'slotLimit',
    endpoint_origin = ${start} ->> 'origin', cursor = ${start} ->> 'cursor'`;

/**
 * SQL part of an UPDATE that sets a run's counters from its rows in a phase; ?1 is the run.
 * @example countersOfRows("phase")
 */
const countersOfRows = (
  phase: string,
): string => `(done, failed, input_tokens, output_tokens, unmetered, failed_judgments) = (
    SELECT CASE ${phase} WHEN 'judging' THEN coalesce(sum(status <> 'answered'), 0) ELSE count(*) END,
      coalesce(sum(NOT covered), 0), coalesce(sum(input_tokens), 0),
      coalesce(sum(output_tokens), 0),
      coalesce(sum(covered AND (input_tokens IS NULL OR output_tokens IS NULL)), 0),
      coalesce(sum(failed_judgments), 0)
    FROM ${ALL_SAMPLES} WHERE run_id = ?1)`;

/** Rows per statement, to stay well below the size limit of a parameter. */
const ROWS_PER_STATEMENT = 50_000;

/**
 * SQL: the run is unchanged since it was read, so that of two retries the second changes nothing, and no rescoring
 * reads its answers. Parameters: ?1 run, ?2 its end.
 */
const AS_READ = `id = ?1 AND finished_at = ?2 AND status IN ('finished', 'failed')
  AND deleted_at IS NULL AND archive IS NULL AND NOT ${hasLiveChild("?1")}`;

/** Charges samples whose charge was refunded; beyond the quota the table's check rolls back the batch. */
const CHARGE = `
  INSERT INTO usage (key, day, used, allowed)
  SELECT ?3, ?4, total - charged, ?5 FROM runs WHERE ${AS_READ} AND total > charged
  ON CONFLICT (key, day) DO UPDATE SET used = used + excluded.used, allowed = excluded.allowed`;

const ADD_ESTIMATE = addSpend("?3", `EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`);

const DROP_ROWS = (table: string) => `
  DELETE FROM ${table} WHERE run_id = ?1 AND seq IN (SELECT value FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

const DROP_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/** Only missing judgments are requested again; existing ones stay with the answer. */
const REOPEN_ROWS = (table: string) => `
  UPDATE ${table} SET status = 'answered', score = NULL, failed_judgments = 0
  WHERE run_id = ?1 AND seq IN (SELECT value FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/**
 * A lease for each lane, in one statement, because an invocation may send few. New attempt numbers start from the time in
 * ms, above all earlier ones. This fences off lanes that still work, and gives new answers other keys than the old ones.
 * Parameters: those of the condition, ?3 the time, ?4 holder, ?5 units of each lane, ?6 key of the cap.
 */
const GIVE_UNITS = (condition: string) => `
  INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
  SELECT run.id, hand.key, ?3, ?4, ?6, hand.value, 0
  FROM (SELECT id FROM runs WHERE ${condition}) AS run, json_each(?5) AS hand`;

const REOPEN = `
  UPDATE runs SET status = 'running', ${PHASE_START("?9")}, status_reason = NULL, metrics = NULL, finished_at = NULL,
    answered_at = CASE WHEN parent_id IS NULL THEN NULL ELSE answered_at END,
    started_at = coalesce(started_at, ?3),
    idle_ms = idle_ms + CASE WHEN started_at IS NULL THEN 0 ELSE ?3 - finished_at END,
    not_before = 0, blocked_since = NULL, sealed_secrets = ?4,
    had_secrets = max(had_secrets, ?4 IS NOT NULL), notes = json_insert(notes, '$[#]', ?5),
    retries = json_insert(retries, '$[#]', ?6), quota_key = ?7, quota_day = ?8, charged = total,
    refundable = total - charged
      + CASE WHEN quota_key IS ?7 AND quota_day IS ?8 THEN refundable ELSE 0 END,
    ${countersOfRows("(?9 ->> 'phase')")}
  WHERE ${AS_READ}`;

const APPLIED = `SELECT 1 FROM runs, json_each(runs.retries) AS known
  WHERE runs.id = ?1 AND known.value = ?2`;

function statements(d1: D1Database, retry: RunRetry): D1PreparedStatement[] {
  const { id, runId, endedAt, now, seqs, toJudge, pending, start } = retry;
  const { charge, spend, sealedSecrets, note } = retry;
  const run = [runId, endedAt] as const;
  const table = sampleTables[retry.sampleTable];
  const { key, day, allowed } = charge ?? { key: null, day: null, allowed: null };
  return [
    ...(key === null ? [] : [d1.prepare(CHARGE).bind(...run, key, day, allowed)]),
    ...(spend === null ? [] : spendStatements(d1, run, spend)),
    ...chunked(seqs).map((rows) => d1.prepare(DROP_ROWS(table)).bind(...run, JSON.stringify(rows))),
    ...chunked(toJudge).map((rows) =>
      d1.prepare(REOPEN_ROWS(table)).bind(...run, JSON.stringify(rows)),
    ),
    d1.prepare(DROP_LEASES).bind(...run),
    d1.prepare(GIVE_UNITS(AS_READ)).bind(...run, now, id, JSON.stringify(pending), start.origin),
    d1.prepare(REOPEN).bind(...run, now, sealedSecrets, note, id, key, day, JSON.stringify(start)),
    d1.prepare(COUNT_RUNS("?1")).bind(runId),
    d1.prepare(APPLIED).bind(runId, id),
  ];
}

function spendStatements(
  d1: D1Database,
  run: readonly [string, number],
  { limit, estimate }: NonNullable<RunRetry["spend"]>,
): D1PreparedStatement[] {
  const [takeOff, add, count] = ADD_ESTIMATE as [string, string, string];
  return [
    d1.prepare(takeOff).bind(...run),
    d1.prepare(add).bind(...run, JSON.stringify(estimate)),
    d1.prepare(count).bind(...run),
    withinLimit(d1, limit),
  ];
}

function chunked(seqs: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(seqs.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, i) =>
    seqs.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
  );
}

/** The run is unchanged since it was read, so that the second of two callers changes nothing. */
const AS_ANSWERED = `id = ?1 AND phase = 'answering' AND judging IS NOT NULL AND done >= total
  AND status IN ('queued', 'running') AND json_array_length(retries) = ?2`;

const DROP_ANSWERING_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_ANSWERED})`;

/** The secrets are no longer needed: the model is not called again. */
const BEGIN = `
  UPDATE runs SET ${PHASE_START("?3")}, not_before = 0, blocked_since = NULL, sealed_secrets = NULL,
    ${countersOfRows("'judging'")}
  WHERE ${AS_ANSWERED} RETURNING id`;

/** Later phases of runs; the first phase is set when the run is stored. */
export function runPhases(d1: D1Database) {
  return {
    /** Starts judging a run whose answers are complete; false if that was started already. */
    async beginJudging({
      run: { id, retries },
      now,
      pending,
      start,
    }: JudgingStart): Promise<boolean> {
      const read = [id, retries.length] as const;
      const results = await d1.batch([
        d1.prepare(DROP_ANSWERING_LEASES).bind(...read),
        d1
          .prepare(GIVE_UNITS(AS_ANSWERED))
          .bind(...read, now, "judging", JSON.stringify(pending), start.origin),
        d1.prepare(BEGIN).bind(...read, JSON.stringify(start)),
      ]);
      return (results.at(-1)?.results.length ?? 0) > 0;
    },

    /**
     * Reopens an ended run for some of its units, all or nothing. `changed`: the run has changed since it was read, or
     * a rescoring reads its answers.
     */
    async retry(retry: RunRetry): Promise<"retried" | "changed" | "over-quota"> {
      try {
        const results = await d1.batch(statements(d1, retry));
        return (results.at(-1)?.results.length ?? 0) > 0 ? "retried" : "changed";
      } catch (error) {
        if (isOverQuota(error)) return "over-quota";
        throw error;
      }
    },

    /** Sets the run's counters from its rows, unless the rows were archived. */
    async recount(runId: string): Promise<void> {
      const counted = `UPDATE runs SET ${countersOfRows("runs.phase")} WHERE id = ?1 AND archive IS NULL`;
      await d1.prepare(counted).bind(runId).run();
    },
  };
}
