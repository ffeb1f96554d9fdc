import { and, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type AlertRecord, alerts } from "./schema.ts";

/** The latest end of a run, and the oldest active run that is not waiting. Parameter: ?1 now. */
const PROGRESS = `
  SELECT (SELECT finished_at FROM runs WHERE answers_removed_at IS NULL AND finished_at IS NOT NULL
      ORDER BY finished_at DESC LIMIT 1) AS endedAt,
    (SELECT min(started_at) FROM (SELECT started_at FROM runs
      WHERE status = 'running' AND not_before <= ?1 ORDER BY rowid LIMIT 50)) AS activeSince`;

export type AlertStore = ReturnType<typeof alertStore>;

export function alertStore(d1: D1Database) {
  const db = drizzle(d1);
  const its = ({ kind, subject }: Pick<AlertRecord, "kind" | "subject">) =>
    and(eq(alerts.kind, kind), eq(alerts.subject, subject));
  return {
    /** Few: one for each judge, endpoint or limit. */
    open: (): Promise<AlertRecord[]> => db.select().from(alerts).orderBy(alerts.since).limit(200),
    /** Idempotent. */
    async begin(alert: AlertRecord): Promise<void> {
      await db.insert(alerts).values(alert).onConflictDoNothing();
    },
    async end(alert: AlertRecord): Promise<void> {
      await db.delete(alerts).where(its(alert));
    },
    /** False if another cron run has announced it already. */
    async markAnnounced(alert: AlertRecord, now: number): Promise<boolean> {
      const marked = await db
        .update(alerts)
        .set({ announcedAt: now })
        .where(and(its(alert), isNull(alerts.announcedAt)))
        .returning({ id: alerts.id });
      return marked.length > 0;
    },
    async progress(now: number) {
      return (await d1
        .prepare(PROGRESS)
        .bind(now)
        .first<{ endedAt: number | null; activeSince: number | null }>())!;
    },
  };
}
