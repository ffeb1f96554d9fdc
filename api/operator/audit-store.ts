import { and, desc, eq, gte, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import { type ListPage, olderThan, prepared } from "../platform/sql.ts";
import { type AuditFilter, type AuditRecord, auditLog } from "./schema.ts";

/** Writes an entry if the statement before it changed something: changes() refers to that. */
function entryAfter(d1: D1Database, entry: AuditRecord) {
  const { at, id, actor, keyId, action, target, reason, before, after, status, requestId } = entry;
  const [was, is] = [before, after].map((state) => state && JSON.stringify(state));
  const row = sql`SELECT ${at}, ${id}, ${actor}, ${keyId}, ${action}, ${target}, ${reason}, ${was}, ${is}, ${status}, ${requestId} WHERE changes() > 0`;
  return drizzle(d1).insert(auditLog).select(row).onConflictDoNothing();
}

/** The statement for a change's entry, to append to the change's batch; nothing without an entry. */
export const entryStatements = (d1: D1Database, entry: AuditRecord | undefined) =>
  entry === undefined ? [] : [prepared(d1, entryAfter(d1, entry))];

/** Makes a change with its entry and follow-up statements, in one transaction. */
export async function recorded<T extends BatchItem<"sqlite">>(
  d1: D1Database,
  change: T,
  entry: AuditRecord | undefined,
  consequences: readonly BatchItem<"sqlite">[] = [],
): Promise<BatchResponse<[T]>[0]> {
  const written = entry === undefined ? [] : [entryAfter(d1, entry)];
  const [changed] = await drizzle(d1).batch([change, ...written, ...consequences]);
  return changed as BatchResponse<[T]>[0];
}

/**
 * Makes a change in the same way; whether it is made. Idempotent, by its entry: the store repeats a call whose reply was
 * lost.
 */
export async function isMade(
  d1: D1Database,
  change: BatchItem<"sqlite">,
  entry: AuditRecord,
  consequences: readonly BatchItem<"sqlite">[] = [],
): Promise<boolean> {
  await recorded(d1, change, entry, consequences);
  const its = and(eq(auditLog.at, entry.at), eq(auditLog.id, entry.id));
  return (await drizzle(d1).$count(auditLog, its)) > 0;
}

export type AuditStore = ReturnType<typeof auditStore>;

/** The audit log in D1. Entries are only added and read, never changed. */
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
