import { and, desc, eq, gte } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan } from "../platform/sql.ts";
import { type AuditFilter, type AuditRecord, auditLog } from "./schema.ts";

export type AuditStore = ReturnType<typeof auditStore>;

/** The audit log in D1. It can't be changed: entries are added and read. */
export function auditStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /** Idempotent, by the entry's id. */
    async add(entry: AuditRecord): Promise<void> {
      await db.insert(auditLog).values(entry).onConflictDoNothing();
    },
    /** Newest first. */
    list: ({ actor, target, since }: AuditFilter, page: ListPage): Promise<AuditRecord[]> =>
      db
        .select()
        .from(auditLog)
        .where(
          and(
            actor === null ? undefined : eq(auditLog.actor, actor),
            target === null ? undefined : eq(auditLog.target, target),
            since === null ? undefined : gte(auditLog.at, since),
            olderThan(auditLog.at, auditLog.id, page.after),
          ),
        )
        .orderBy(desc(auditLog.at), desc(auditLog.id))
        .limit(page.limit),
  };
}
