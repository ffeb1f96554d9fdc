import { and, asc, desc, eq, isNotNull, isNull, lt, max, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { DriftStore } from "../pipeline/drift-ports.ts";
import { isInView } from "./run-visibility.ts";
import { drifts } from "./schedule-schema.ts";
import { runs } from "./schema.ts";
import { messages } from "./usage-store.ts";

/** A page of history is no longer than this. */
const MOST_OF_MODEL = 2_000;

/** Eligible runs; those of sweeps, canaries and rescorings hold nothing that was asked as before. */
const UNWATCHED = `
  SELECT r.id FROM runs r LEFT JOIN drifts d ON d.run_id = r.id
  WHERE r.finished_at > ?1 AND r.finished_at < ?2 AND r.answers_removed_at IS NULL
    AND r.status = 'finished' AND r.endpoint IS NOT NULL AND r.parent_id IS NULL
    AND r.variant IS NULL AND r.canary IS NULL AND r.hidden_reason IS NULL AND r.deleted_at IS NULL
    AND (d.run_id IS NULL OR (d.finished_at <> r.finished_at AND d.position =
      (SELECT max(position) FROM drifts WHERE series = d.series)))
  ORDER BY r.finished_at LIMIT ?3`;

/** How finished runs lie to those before them, in D1. */
export function driftStore(d1: D1Database): DriftStore {
  const db = drizzle(d1);
  const watched = () =>
    db
      .select({ run: runs, record: drifts })
      .from(drifts)
      .innerJoin(runs, eq(runs.id, drifts.runId));
  return {
    async get(runId) {
      return (await db.select().from(drifts).where(eq(drifts.runId, runId)).limit(1))[0] ?? null;
    },
    async length(series) {
      const rows = await db
        .select({ last: max(drifts.position) })
        .from(drifts)
        .where(eq(drifts.series, series));
      return (rows[0]?.last ?? -1) + 1;
    },
    before: (series, position, limit) =>
      watched()
        .where(and(eq(drifts.series, series), lt(drifts.position, position), isInView()))
        .orderBy(desc(drifts.position))
        .limit(limit),
    since: (referenceId, limit) =>
      watched()
        .where(
          and(or(eq(drifts.runId, referenceId), eq(drifts.referenceId, referenceId)), isInView()),
        )
        .orderBy(asc(drifts.position))
        .limit(limit),
    async insert(record) {
      try {
        await db.insert(drifts).values(record);
        return true;
      } catch (error) {
        if (messages(error).includes("UNIQUE constraint failed: drifts")) return false;
        throw error;
      }
    },
    async replace({ runId, ...record }) {
      await db.update(drifts).set(record).where(eq(drifts.runId, runId));
    },
    flagged: (limit) =>
      watched()
        .where(and(eq(drifts.flagged, true), eq(runs.visibility, "public"), isInView()))
        .orderBy(desc(drifts.finishedAt), desc(drifts.runId))
        .limit(limit),
    ofModel: (slug) =>
      db
        .select({ run: runs, record: drifts })
        .from(runs)
        .leftJoin(drifts, eq(drifts.runId, runs.id))
        .where(
          and(
            ...[eq(runs.modelSlug, slug), eq(runs.visibility, "public")],
            ...[eq(runs.status, "finished"), isNotNull(runs.endpoint)],
            ...[isNull(runs.parentId), isNull(runs.variant), isNull(runs.canary), isInView()],
          ),
        )
        .orderBy(asc(runs.finishedAt), asc(runs.id), sql`${drifts.position}`)
        .limit(MOST_OF_MODEL),
    async unwatched(after, before, limit) {
      const found = await d1.prepare(UNWATCHED).bind(after, before, limit).all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },
  };
}
