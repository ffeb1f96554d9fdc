import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "#shared/contracts/keys/api-key.ts";

/** API keys by SHA-256; the key itself is shown once and not stored. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    owner: text().notNull(),
    name: text().notNull(),
    scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    /** Samples per day; null: the deployment's default. */
    dailySamples: integer("daily_samples"),
    revokedAt: integer("revoked_at"),
    lastUsedAt: integer("last_used_at"),
    /** The person who made it; null: the operator. */
    createdBy: text("created_by"),
  },
  (table) => [index("api_keys_by_owner").on(table.owner, table.createdAt)],
);

/**
 * Samples charged to a key on a day (YYYY-MM-DD, UTC). The check makes a batch that would exceed the quota fail as a
 * whole.
 */
export const usage = sqliteTable(
  "usage",
  {
    key: text().notNull(),
    day: text().notNull(),
    used: integer().notNull(),
    allowed: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.day] }),
    check("usage_within_quota", sql`used <= allowed`),
  ],
);

/**
 * Idempotency keys. `resource`: id reserved for what the first request creates. Only the resource itself shows whether
 * it was created, so a crash leaves no ambiguity.
 */
export const idempotencyKeys = sqliteTable(
  "idempotency_keys",
  {
    owner: text().notNull(),
    key: text().notNull(),
    bodyHash: text("body_hash").notNull(),
    resource: text().notNull(),
    reservedUntil: integer("reserved_until").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.key] })],
);

export type ApiKeyRecord = typeof apiKeys.$inferSelect;
export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect;
