import { type Charge, isOverQuota } from "../keys/quota-store.ts";
import { hasLiveChild } from "../platform/sql.ts";
import { COUNT_RUNS } from "../publication/store.ts";
import { ALL_SAMPLES, type RunRecord, type SampleTable, sampleTables } from "../runs/schema.ts";

/** With what a run goes into a phase; `origin`: key of the cap on requests across runs. */
export interface PhaseStart {
  phase: RunRecord["phase"];
  lanes: number;
  concurrency: number;
  slotLimit: number;
  origin: string | null;
  /** Units before it are in leases, or are done. */
  cursor: number;
}

/** Starts judging the answers of a run; `pending`: units by lane, of every lane. */
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
  sampleTable: SampleTable;
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

/**
 * Puts a run at the beginning of a phase, as a part of an UPDATE: the parameter is a `PhaseStart` as JSON.
 * @example PHASE_START("?3")
 */
const PHASE_START = (start: string): string => `
    phase = ${start} ->> 'phase', lanes = ${start} ->> 'lanes',
    concurrency = ${start} ->> 'concurrency', slot_limit = ${start} ->> 'slotLimit',
    endpoint_origin = ${start} ->> 'origin', cursor = ${start} ->> 'cursor'`;

/**
 * Sets a run's counters to what its rows say in a phase, as a part of an UPDATE; ?1 is the run.
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

/** Rows named in one statement: well within the size of a parameter. */
const ROWS_PER_STATEMENT = 50_000;

/**
 * The run as it was read: of two retries the second finds it open and changes nothing. A run whose
 * answers are being scored again waits for that. Parameters: ?1 run, ?2 its end.
 */
const AS_READ = `id = ?1 AND finished_at = ?2 AND status IN ('finished', 'failed')
  AND deleted_at IS NULL AND archive IS NULL AND NOT ${hasLiveChild("?1")}`;

/** Samples that were given back are charged again; past the quota the table's check undoes all. */
const CHARGE = `
  INSERT INTO usage (key, day, used, allowed)
  SELECT ?3, ?4, total - charged, ?5 FROM runs WHERE ${AS_READ} AND total > charged
  ON CONFLICT (key, day) DO UPDATE SET used = used + excluded.used, allowed = excluded.allowed`;

const DROP_ROWS = (table: string) => `
  DELETE FROM ${table} WHERE run_id = ?1 AND seq IN (SELECT value FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

const DROP_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/** Judgments are asked for again where one is missing; whatever a judge gave is kept with the answer. */
const REOPEN_ROWS = (table: string) => `
  UPDATE ${table} SET status = 'answered', score = NULL, failed_judgments = 0
  WHERE run_id = ?1 AND seq IN (SELECT value FROM json_each(?3))
    AND EXISTS (SELECT 1 FROM runs WHERE ${AS_READ})`;

/**
 * Attempts continue from the time in ms, which is above every earlier one: it fences off a lane of a
 * failed run that is still running, and keeps the keys of new answers apart from those of old ones.
 */
const GIVE_UNITS = `
  INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
  SELECT id, ?3, ?4, ?5, ?7, ?6, 0 FROM runs WHERE ${AS_READ}`;

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
  const { charge, sealedSecrets, note } = retry;
  const run = [runId, endedAt] as const;
  const table = sampleTables[retry.sampleTable];
  const { key, day, allowed } = charge ?? { key: null, day: null, allowed: null };
  return [
    ...(key === null ? [] : [d1.prepare(CHARGE).bind(...run, key, day, allowed)]),
    ...chunked(seqs).map((rows) => d1.prepare(DROP_ROWS(table)).bind(...run, JSON.stringify(rows))),
    ...chunked(toJudge).map((rows) =>
      d1.prepare(REOPEN_ROWS(table)).bind(...run, JSON.stringify(rows)),
    ),
    d1.prepare(DROP_LEASES).bind(...run),
    ...pending.map((units, lane) =>
      d1.prepare(GIVE_UNITS).bind(...run, lane, now, id, JSON.stringify(units), start.origin),
    ),
    d1.prepare(REOPEN).bind(...run, now, sealedSecrets, note, id, key, day, JSON.stringify(start)),
    d1.prepare(COUNT_RUNS("?1")).bind(runId),
    d1.prepare(APPLIED).bind(runId, id),
  ];
}

function chunked(seqs: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(seqs.length / ROWS_PER_STATEMENT);
  return Array.from({ length: count }, (_, i) =>
    seqs.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
  );
}

/** The run as it was read, so that of two callers the second changes nothing. */
const AS_ANSWERED = `id = ?1 AND phase = 'answering' AND judging IS NOT NULL AND done >= total
  AND status IN ('queued', 'running') AND json_array_length(retries) = ?2`;

const DROP_ANSWERING_LEASES = `
  DELETE FROM leases WHERE run_id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE ${AS_ANSWERED})`;

/** Attempts continue from the time in ms, which fences off a lane that still asks the model. */
const GIVE_UNITS_TO_JUDGE = `
  INSERT INTO leases (run_id, lane, attempt, holder, endpoint_origin, pending, expires_at)
  SELECT id, ?3, ?4, 'judging', ?6, ?5, 0 FROM runs WHERE ${AS_ANSWERED}`;

/** The model is not asked any more, so its secrets are not needed. */
const BEGIN = `
  UPDATE runs SET ${PHASE_START("?3")}, not_before = 0, blocked_since = NULL, sealed_secrets = NULL,
    ${countersOfRows("'judging'")}
  WHERE ${AS_ANSWERED} RETURNING id`;

/** Phases of runs: their first start is the row itself, the others are here. */
export function runPhases(d1: D1Database) {
  return {
    /** Has the answers of a run judged, all of which are in; false where that began already. */
    async beginJudging({
      run: { id, retries },
      now,
      pending,
      start,
    }: JudgingStart): Promise<boolean> {
      const read = [id, retries.length] as const;
      const results = await d1.batch([
        d1.prepare(DROP_ANSWERING_LEASES).bind(...read),
        ...pending.map((units, lane) =>
          d1
            .prepare(GIVE_UNITS_TO_JUDGE)
            .bind(...read, lane, now, JSON.stringify(units), start.origin),
        ),
        d1.prepare(BEGIN).bind(...read, JSON.stringify(start)),
      ]);
      return (results.at(-1)?.results.length ?? 0) > 0;
    },

    /**
     * Opens an ended run again for some of its units, all or nothing; `changed`: it has changed since, or its answers
     * are being read.
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

    /** The run's counters made equal to its rows, unless these were moved. */
    async recount(runId: string): Promise<void> {
      const counted = `UPDATE runs SET ${countersOfRows("runs.phase")} WHERE id = ?1 AND archive IS NULL`;
      await d1.prepare(counted).bind(runId).run();
    },
  };
}
