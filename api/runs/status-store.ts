import { and, eq, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunStatus } from "#shared/contracts/run.ts";
import type { Summary } from "#shared/contracts/suite.ts";
import { SEAT } from "../engine/seat-store.ts";
import { settleQuota } from "../keys/quota-store.ts";
import { releaseSpend } from "../operator/spend-store.ts";
import { LIVE, liveStatuses, prepared } from "../platform/sql.ts";
import { COUNT_RUNS, countChange } from "../publication/store.ts";
import { leases, type RunRecord, runs } from "./schema.ts";

type Status = RunRecord["status"];
/** Values or SQL expressions. */
type Changes = { [Name in keyof RunRecord]?: RunRecord[Name] | SQL };
type End = "finished" | "failed" | "cancelled";

/** Parameters: ?1 run, ?2 allowed statuses, ?3 its number of retries when it was read, or null. */
const MAY_END =
  "status IN (SELECT value FROM json_each(?2)) AND (?3 IS NULL OR json_array_length(retries) = ?3)";
const SETTLE = [...settleQuota(MAY_END), ...releaseSpend(MAY_END)];

/**
 * Changes of a run's status; false if its status does not allow the change. Each is one guarded update: the second of
 * two callers changes nothing, and neither does one that read the run before a retry. An ending run deletes its
 * endpoint's secrets, returns unused quota and notifies subscribers.
 */
export function runStatus(d1: D1Database) {
  const db = drizzle(d1);
  const update = (runId: string, from: readonly Status[], values: Changes, condition?: SQL) =>
    db
      .update(runs)
      .set(values)
      .where(and(eq(runs.id, runId), inArray(runs.status, [...from]), condition))
      .returning({ id: runs.id });
  const change = async (...args: Parameters<typeof update>) => (await update(...args)).length > 0;
  const end = async (
    runId: string,
    from: readonly Status[],
    values: Changes & { status: End; finishedAt: number },
    retries: number | null = null,
  ) => {
    const asRead = retries === null ? undefined : eq(retriesOf, retries);
    const changed = update(runId, from, { ...values, sealedSecrets: null }, asRead);
    const before = [
      prepared(d1, countChange(d1, runId, from)),
      d1.prepare(COUNT_RUNS("?1")).bind(runId),
      ...SETTLE.map((sql) => d1.prepare(sql).bind(runId, JSON.stringify(from), retries)),
      ...announceEnd(d1, { id: runId, from, retries }, values.status, values.finishedAt),
    ];
    const results = await d1.batch([
      ...before,
      prepared(d1, changed),
      prepared(d1, dropLeasesOfFinished(d1, runId)),
    ]);
    return (results[before.length]?.results.length ?? 0) > 0;
  };
  return {
    /** Also false if the run was retried since it was read. */
    finish(
      { id, retries }: Pick<RunRecord, "id" | "retries">,
      {
        metrics,
        codeRevision,
        served,
        storedBytes,
      }: Pick<Summary, "metrics"> &
        Pick<RunRecord, "codeRevision" | "storedBytes"> &
        Required<Pick<RunRecord["model"], "served">>,
      now: number,
    ): Promise<boolean> {
      const answeredAt = sql<number>`coalesce(${runs.answeredAt}, ${now})`;
      const model = sql`json_set(${runs.model}, '$.served', json(${JSON.stringify(served)}))`;
      const summed = { metrics, codeRevision, answeredAt, model, storedBytes };
      const values = { status: "finished" as const, finishedAt: now, ...summed };
      return end(id, ["queued", "running"], values, retries.length);
    },
    /** With `retries`: false if the run has more retries by now. */
    fail(runId: string, reason: string, now: number, retries?: number): Promise<boolean> {
      const values = { status: "failed", finishedAt: now, statusReason: reason } as const;
      return end(runId, liveStatuses, values, retries);
    },
    cancel: (runId: string, now: number): Promise<boolean> =>
      end(runId, liveStatuses, { status: "cancelled", finishedAt: now, statusReason: null }),
    /** Also false if no sample is missing. */
    pause: (runId: string, reason: string | null): Promise<boolean> =>
      change(runId, ["queued", "running"], { status: "paused", statusReason: reason }, areMissing),
    async resume(runId: string, limit: { maxCostUsd: number | null }): Promise<boolean> {
      const changed = update(runId, ["paused"], {
        status: "running",
        statusReason: null,
        // A pause does not count as waiting for the endpoint.
        blockedSince: null,
        ...limit,
      });
      const [its] = await db.batch([changed, freeLanes(d1, runId)]);
      return its.length > 0;
    },
  };
}

const retriesOf = sql<number>`json_array_length(${runs.retries})`;

/** If no sample is missing, the run only waits to be summed up. */
const areMissing = lt(runs.done, runs.total);

/**
 * Lets the lanes of a resumed run start at once, even if they rest, or the message of their seat arrived during the
 * pause.
 */
const freeLanes = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .update(leases)
    .set({ slots: 0, expiresAt: 0 })
    .where(and(eq(leases.runId, runId), or(eq(leases.slots, 0), like(leases.holder, `${SEAT}%`))));

/** Lanes of cancelled and failed runs keep their leases, to save answers that they have. */
const dropLeasesOfFinished = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .delete(leases)
    .where(
      and(
        eq(leases.runId, runId),
        sql`EXISTS (SELECT 1 FROM runs WHERE id = ${runId} AND status = 'finished')`,
      ),
    );

/**
 * Parameters: ?1 run, ?2 allowed statuses, ?3 its number of retries when it was read, or null, ?4 event type, ?5 now.
 */
const ENDS = `
  runs.id = ?1 AND canary IS NULL AND status IN (SELECT value FROM json_each(?2))
  AND (?3 IS NULL OR json_array_length(retries) = ?3)
  AND EXISTS (SELECT 1 FROM webhooks w, json_each(w.events) AS wanted
    WHERE w.owner = runs.owner AND w.status = 'active' AND wanted.value = ?4)`;

/** Event id of an end. A run ends once per start, so the number of retries identifies the end. */
const END = `'evt_' || substr(id, instr(id, '_') + 1) || '_' || json_array_length(retries)`;

const INSERT = `
  INSERT INTO webhook_events (id, type, owner, subject, occurred_at)`;

const RUN_ENDS = `${INSERT}
  SELECT ${END}, ?4, owner, id, ?5 FROM runs WHERE ${ENDS}
  ON CONFLICT DO NOTHING`;

const SUBMISSION_ENDS = `${INSERT}
  SELECT ${END} || '_submission', ?4, owner, submission_id, ?5 FROM runs WHERE ${ENDS}
    AND NOT EXISTS (SELECT 1 FROM runs other WHERE other.submission_id = runs.submission_id
      AND other.id <> runs.id AND other.status IN ${LIVE})
  ON CONFLICT DO NOTHING`;

/**
 * Records webhook events for the end of a run and, if it is the last, of its submission. Runs before the status change
 * in the same batch, so that neither exists without the other.
 */
function announceEnd(
  d1: D1Database,
  run: { id: string; from: readonly RunStatus[]; retries: number | null },
  status: "finished" | "failed" | "cancelled",
  now: number,
): D1PreparedStatement[] {
  const which = [run.id, JSON.stringify(run.from), run.retries];
  return [
    d1.prepare(RUN_ENDS).bind(...which, `run.${status}`, now),
    d1.prepare(SUBMISSION_ENDS).bind(...which, "submission.finished", now),
  ];
}
