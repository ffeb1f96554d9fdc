import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonObject } from "#shared/contracts/json.ts";

/** What admins did, and what changed rights or visibility. Rows are only added. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    at: integer().notNull(),
    id: text().notNull(),
    actor: text().notNull(),
    keyId: text("key_id"),
    action: text().notNull(),
    target: text().notNull(),
    reason: text(),
    before: text({ mode: "json" }).$type<JsonObject>(),
    after: text({ mode: "json" }).$type<JsonObject>(),
    status: integer().notNull(),
    requestId: text("request_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index("audit_log_by_actor").on(table.actor, table.at),
    index("audit_log_by_target").on(table.target, table.at),
  ],
);

export type AuditRecord = typeof auditLog.$inferSelect;

/** Which entries; null: all. */
export interface AuditFilter {
  actor: string | null;
  target: string | null;
  /** Unix ms. */
  since: number | null;
}
