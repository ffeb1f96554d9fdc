import { sql } from "drizzle-orm";
import { check, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "#shared/contracts/submissions/api-key.ts";

/** API keys by their SHA-256; the key itself is shown once and kept nowhere. */
export const apiKeys = sqliteTable("api_keys", {
  hash: text().primaryKey(),
  id: text().notNull().unique(),
  owner: text().notNull(),
  name: text().notNull(),
  scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at"),
  /** Samples a day; null: what the deployment gives every key. */
  dailySamples: integer("daily_samples"),
  revokedAt: integer("revoked_at"),
  lastUsedAt: integer("last_used_at"),
});

/**
 * Samples taken by a key on a day (YYYY-MM-DD, UTC). The check makes a batch that would exceed the
 * quota fail as a whole, so that nothing is stored half.
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
 * Idempotency keys: `resource` is the id that the first request was to create. Whether it was is
 * seen from the resource itself, so that a crash in between leaves no doubt.
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
