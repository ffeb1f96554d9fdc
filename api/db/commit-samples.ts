import type { Commit, CommitResult, SampleRecord } from "../pipeline/ports.ts";
import { unitRange } from "./lease.ts";

interface RunRow {
  cursor: number;
  units: number;
  done: number;
  total: number;
  status: CommitResult["status"];
}

/** Only the lane that still holds the lease under this attempt may write. */
const HOLDS = `EXISTS (SELECT 1 FROM leases WHERE run_id = ?1 AND lane = ?2 AND attempt = ?3)`;

const INSERT_ROWS = `
  INSERT INTO samples (run_id, seq, sample_id, status, covered, score, latency_ms, input_tokens,
    output_tokens, attempts, error_class, object)
  SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
    value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10
  FROM json_each(?4) WHERE ${HOLDS} ON CONFLICT DO NOTHING`;

/** changes() counts the rows that the statement before really added. */
const COUNT = `
  UPDATE runs SET
    failed = failed + CASE WHEN changes() = ?4 THEN ?5 ELSE 0 END,
    done = done + changes(),
    cursor = cursor + CASE WHEN status = 'running' THEN ?6 ELSE 0 END
  WHERE id = ?1 AND ${HOLDS}
  RETURNING cursor, units, done, total, status`;

const KEEP = `
  UPDATE leases SET pending = ?4, expires_at = ?6,
    claim_to = (SELECT cursor FROM runs WHERE id = ?1),
    claim_from = (SELECT cursor - CASE WHEN status = 'running' THEN ?5 ELSE 0 END
      FROM runs WHERE id = ?1)
  WHERE run_id = ?1 AND lane = ?2 AND attempt = ?3`;

/**
 * One transaction: rows, counters, the next claim and the lease. Null when another lane has taken
 * the lease since, in which case nothing was written.
 */
export async function commitSamples(d1: D1Database, commit: Commit): Promise<CommitResult | null> {
  const { runId, lane, attempt, rows } = commit;
  const failed = rows.filter((row) => !row.covered).length;
  const holder = [runId, lane, attempt] as const;
  const results = await d1.batch<RunRow>([
    d1.prepare(INSERT_ROWS).bind(...holder, JSON.stringify(rows.map(columns))),
    d1.prepare(COUNT).bind(...holder, rows.length, failed, commit.claim),
    d1.prepare(KEEP).bind(...holder, JSON.stringify(commit.keep), commit.claim, commit.expiresAt),
  ]);
  const run = results[1]?.results[0];
  if (!run) return null;
  const claim = run.status === "running" ? commit.claim : 0;
  return {
    claimed: unitRange(run.cursor - claim, run.cursor, run.units),
    remaining: Math.max(0, run.units - run.cursor),
    done: run.done,
    total: run.total,
    status: run.status,
  };
}

function columns(row: SampleRecord): unknown[] {
  return [
    row.seq,
    row.sampleId,
    row.status,
    row.covered ? 1 : 0,
    row.score,
    row.latencyMs,
    row.inputTokens,
    row.outputTokens,
    row.attempts,
    row.errorClass,
    row.object,
  ];
}
