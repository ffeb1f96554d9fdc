import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { RunStatus } from "#shared/contracts/run.ts";
import type { Summary } from "#shared/contracts/suite.ts";
import { settleQuota } from "../keys/quota-store.ts";
import { LIVE, liveStatuses, prepared } from "../platform/sql.ts";
import { COUNT_RUNS, countChange } from "../publication/store.ts";
import { leases, type RunRecord, runs } from "./schema.ts";

type Status = RunRecord["status"];
/** Values, or what they are worked out from. */
type Changes = { [Name in keyof RunRecord]?: RunRecord[Name] | SQL };
type End = "finished" | "failed" | "cancelled";

/** Parameters: ?1 the run, ?2 the statuses that it may have, ?3 its retries where it was read before. */
const SETTLE = settleQuota(
  "status IN (SELECT value FROM json_each(?2)) AND (?3 IS NULL OR json_array_length(retries) = ?3)",
);

/**
 * Changes of a run's status, false where the run was in no status that allows it. Each is one guarded update:
 * whichever of two callers comes second changes nothing; whoever read the run before a retry does not end it either.
 * A run that ends forgets the secrets of its endpoint and gives back what it did not get of its key's quota.
 * Subscribers of ends are notified.
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
    /** False, too, where the run has been retried since it was read. */
    finish(
      { id, retries }: Pick<RunRecord, "id" | "retries">,
      {
        metrics,
        codeRevision,
        served,
      }: Pick<Summary, "metrics"> &
        Pick<RunRecord, "codeRevision"> &
        Required<Pick<RunRecord["model"], "served">>,
      now: number,
    ): Promise<boolean> {
      const answeredAt = sql<number>`coalesce(${runs.answeredAt}, ${now})`;
      const model = sql`json_set(${runs.model}, '$.served', json(${JSON.stringify(served)}))`;
      const summed = { metrics, codeRevision, answeredAt, model };
      const values = { status: "finished" as const, finishedAt: now, ...summed };
      return end(id, ["queued", "running"], values, retries.length);
    },
    /** With `retries`, false where the run has been retried since it had so many. */
    fail(runId: string, reason: string, now: number, retries?: number): Promise<boolean> {
      const values = { status: "failed", finishedAt: now, statusReason: reason } as const;
      return end(runId, liveStatuses, values, retries);
    },
    cancel: (runId: string, now: number): Promise<boolean> =>
      end(runId, liveStatuses, { status: "cancelled", finishedAt: now, statusReason: null }),
    /** False, too, where no sample is missing any more. */
    pause: (runId: string, reason: string | null): Promise<boolean> =>
      change(runId, ["queued", "running"], { status: "paused", statusReason: reason }, areMissing),
    resume: (runId: string, limit: { maxCostUsd: number | null }): Promise<boolean> =>
      change(runId, ["paused"], {
        status: "running",
        statusReason: null,
        // The time at rest is no wait for the endpoint.
        blockedSince: null,
        ...limit,
      }),
  };
}

const retriesOf = sql<number>`json_array_length(${runs.retries})`;

/** A run whose samples are all in only waits to be summed up. */
const areMissing = lt(runs.done, runs.total);

/** Lanes of a cancelled or failed run keep theirs, to write what they have answered. */
const dropLeasesOfFinished = (d1: D1Database, runId: string) =>
  drizzle(d1)
    .delete(leases)
    .where(
      and(
        eq(leases.runId, runId),
        sql`EXISTS (SELECT 1 FROM runs WHERE id = ${runId} AND status = 'finished')`,
      ),
    );

/** Parameters: ?1 the run, ?2 statuses it may have, ?3 its retries where it was read before, ?4 the type, ?5 now. */
const ENDS = `
  runs.id = ?1 AND canary IS NULL AND status IN (SELECT value FROM json_each(?2))
  AND (?3 IS NULL OR json_array_length(retries) = ?3)
  AND EXISTS (SELECT 1 FROM webhooks w, json_each(w.events) AS wanted
    WHERE w.owner = runs.owner AND w.status = 'active' AND wanted.value = ?4)`;

/** A run ends once a start: its events have the ids of its ends. */
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
 * Keeps for webhooks that a run changes its status from one of these to its end, and that its submission
 * ends with it: in one batch with the change and before it, so that neither is there without the other.
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
