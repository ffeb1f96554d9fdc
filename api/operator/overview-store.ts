import type { ErrorClass } from "#shared/contracts/answer.ts";
import { SEAT } from "../engine/seat-store.ts";
import { type RunRecord, sampleTables } from "../runs/schema.ts";

/** The columns that are read of an active run. */
export interface ActiveRow
  extends Pick<
    RunRecord,
    | ("id" | "owner" | "suite" | "status" | "phase" | "total" | "done" | "failed")
    | ("createdAt" | "notBefore" | "statusReason")
  > {
  model: string;
  leasedUntil: number | null;
  /** Leases held by a consumer, their slots, and reserved seats. */
  lanes: number;
  slots: number;
  seats: number;
}

/** Maximum leases read per run: more than can be active in any phase. */
const LEASES = 50;

/** Parameters: ?1 now, ?2 status, ?3 most. A run's leases are its first lanes, which get seats first. */
const ACTIVE = `
  SELECT r.id, r.owner, r.suite, r.model_slug AS model, r.status, r.phase, r.total, r.done, r.failed,
    r.created_at AS createdAt, r.not_before AS notBefore, r.status_reason AS statusReason,
    max(l.expires_at) AS leasedUntil,
    count(*) FILTER (WHERE l.slots > 0 AND l.expires_at > ?1 AND l.holder NOT LIKE '${SEAT}%') AS lanes,
    coalesce(sum(l.slots) FILTER (WHERE l.expires_at > ?1), 0) AS slots,
    count(*) FILTER (WHERE l.slots > 0 AND l.expires_at > ?1 AND l.holder LIKE '${SEAT}%') AS seats
  FROM (SELECT * FROM runs WHERE status = ?2 ORDER BY rowid LIMIT ?3) r
  LEFT JOIN leases l ON l.run_id = r.id AND l.lane < ${LEASES}
  GROUP BY r.id ORDER BY r.created_at, r.id`;

const COUNT = `(SELECT count(*) FROM (SELECT 1 FROM runs WHERE status = ? LIMIT ?4))`;
const COUNTS = `SELECT ${["queued", "running", "paused"].map(
  (status, i) => `${COUNT.replace("= ?", `= ?${i + 1}`)} AS ${status}`,
)}`;

/** Due deliveries to webhooks, and changes that are not published. Parameters: ?1 now, ?2 most. */
const WAITING = `
  SELECT count(*) AS deliveries, min(next_attempt_at) AS oldestDelivery,
    (SELECT changes - published FROM publications WHERE target = 'site') AS unpublished
  FROM (SELECT next_attempt_at FROM webhook_deliveries
    WHERE status = 'pending' AND next_attempt_at <= ?1 ORDER BY next_attempt_at LIMIT ?2)`;

/** The columns that are read of a recent run at an endpoint. */
export interface RecentRun
  extends Pick<RunRecord, "id" | "status" | "done" | "failed" | "sampleTable"> {
  origin: string;
  /** Whether its sample rows are in the database. */
  hasRows: number;
}

const RECENT = `id, status, done, failed, sample_table AS sampleTable, endpoint_origin AS origin,
  archive IS NULL AS hasRows`;

/** Active runs and those that ended, newest first. Parameters: ?1 ended after, ?2 most of each. */
const AT_ENDPOINTS = `
  SELECT * FROM (SELECT ${RECENT} FROM runs WHERE status = 'running' AND endpoint_origin IS NOT NULL
    ORDER BY rowid DESC LIMIT ?2)
  UNION ALL SELECT * FROM (SELECT ${RECENT} FROM runs
    WHERE answers_removed_at IS NULL AND finished_at > ?1 AND endpoint_origin IS NOT NULL
    ORDER BY finished_at DESC LIMIT ?2)`;

/** Failures among the latest samples of a run. Parameters: ?1 run, ?2 samples. */
const FAILURES = (table: string) => `
  SELECT run_id AS run, error_class AS class, count(*) AS count
  FROM (SELECT run_id, error_class FROM ${table} WHERE run_id = ?1 ORDER BY seq DESC LIMIT ?2)
  GROUP BY error_class`;

/** Number of a run's samples in a failure class; null: answered. */
export interface FailureCount {
  run: string;
  class: ErrorClass | null;
  count: number;
}

export type OverviewStore = ReturnType<typeof overviewStore>;

/** Data of the operator's page. Each query reads a limited number of rows. */
export function overviewStore(d1: D1Database) {
  return {
    /** The oldest active runs of each status. */
    async active(now: number, most: number): Promise<ActiveRow[]> {
      const found = await d1.batch<ActiveRow>(
        ["running", "queued", "paused"].map((status) => d1.prepare(ACTIVE).bind(now, status, most)),
      );
      return found.flatMap(({ results }) => results);
    },
    /** Numbers of active runs, each counted up to `most`. */
    async counts(most: number) {
      const counts = d1.prepare(COUNTS).bind("queued", "running", "paused", most);
      return (await counts.first<{ queued: number; running: number; paused: number }>())!;
    },
    async waiting(now: number, most: number) {
      return (await d1.prepare(WAITING).bind(now, most).first<{
        deliveries: number;
        oldestDelivery: number | null;
        unpublished: number | null;
      }>())!;
    },
    async atEndpoints(endedAfter: number, most: number): Promise<RecentRun[]> {
      return (await d1.prepare(AT_ENDPOINTS).bind(endedAfter, most).all<RecentRun>()).results;
    },
    async failures(runs: readonly RecentRun[], samples: number): Promise<FailureCount[]> {
      if (runs.length === 0) return [];
      const found = await d1.batch<FailureCount>(
        runs.map(({ id, sampleTable }) =>
          d1.prepare(FAILURES(sampleTables[sampleTable])).bind(id, samples),
        ),
      );
      return found.flatMap(({ results }) => results);
    },
    /** Records the database's size of a day, once. */
    async noteSize(day: string): Promise<void> {
      const known = await d1.prepare("SELECT 1 FROM database_sizes WHERE day = ?1").bind(day).all();
      if (known.results.length > 0) return;
      const insert =
        "INSERT INTO database_sizes (day, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
      await d1.prepare(insert).bind(day, known.meta.size_after).run();
    },
    /** The latest daily sizes, oldest first. */
    async sizes(most: number): Promise<{ day: string; bytes: number }[]> {
      const latest = "SELECT day, bytes FROM database_sizes ORDER BY day DESC LIMIT ?1";
      const found = await d1.prepare(latest).bind(most).all<{ day: string; bytes: number }>();
      return found.results.reverse();
    },
  };
}
