import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { AlertKind } from "#shared/contracts/operator/overview.ts";
import type { ReaderReport, ReportState } from "#shared/contracts/operator/report.ts";

/** Actions of admins, and changes of rights or visibility. Rows are only added. */
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

/** Filter of entries; null matches all. */
export interface AuditFilter {
  actor: string | null;
  target: string | null;
  /** Unix ms. */
  since: number | null;
}

/** Paid calls of judges for runs, by day (UTC) on which the run ended, account and judge. */
export const judgeSpend = sqliteTable(
  "judge_spend",
  {
    day: text().notNull(),
    owner: text().notNull(),
    /** As `provider:model`. */
    judge: text().notNull(),
    requests: integer().notNull(),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
    usd: real().notNull(),
    /** Judgments whose judge has no price. */
    unpriced: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.owner, table.judge] })],
);

/** The size of the database, once a day (UTC). */
export const databaseSizes = sqliteTable("database_sizes", {
  day: text().primaryKey(),
  bytes: integer().notNull(),
});

/** Reports of runs by readers. A reader is an account or a hash of an address. */
export const readerReports = sqliteTable(
  "reader_reports",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    runId: text("run_id").notNull(),
    kind: text().$type<ReaderReport["kind"]>().notNull(),
    message: text().notNull(),
    reporter: text().notNull(),
    account: text(),
    state: text().$type<ReportState>().notNull(),
    decidedAt: integer("decided_at"),
    decidedBy: text("decided_by"),
    reason: text(),
  },
  (table) => [
    index("reader_reports_by_state").on(table.state, table.at),
    index("reader_reports_by_reporter").on(table.reporter, table.at),
    uniqueIndex("reader_reports_once").on(table.runId, table.reporter),
  ],
);

/** Banned accounts. Their runs are hidden with `hiddenReason`. */
export const bans = sqliteTable("bans", {
  owner: text().primaryKey(),
  reason: text().notNull(),
  by: text().notNull(),
  at: integer().notNull(),
});

export type ReportRecord = typeof readerReports.$inferSelect;
export type BanRecord = typeof bans.$inferSelect;

/** A report with what it is about. */
export interface ReportOfRun {
  report: ReportRecord;
  run: { owner: string; model: string; hiddenReason: string | null } | null;
}

/** Active alerts. `announcedAt`: when the operator's webhook accepted it; null: not yet. */
export const alerts = sqliteTable(
  "alerts",
  {
    kind: text().$type<AlertKind>().notNull(),
    subject: text().notNull(),
    id: text().notNull(),
    message: text().notNull(),
    since: integer().notNull(),
    announcedAt: integer("announced_at"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subject] })],
);

export type AlertRecord = typeof alerts.$inferSelect;
