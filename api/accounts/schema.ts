import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { DeviceScope } from "#shared/contracts/keys/device.ts";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import type { Quotas } from "#shared/contracts/keys/usage.ts";

/**
 * Accounts by name, which owns what they submit. A person is identified by the provider's subject, because a login may
 * be renamed and reassigned. Accounts whose keys the operator creates have no provider.
 */
export const accounts = sqliteTable(
  "accounts",
  {
    owner: text().primaryKey(),
    /** Canonical form of the name's appearance, so that no two accounts look alike. */
    skeleton: text().notNull(),
    /** Key of the provider: `github` or `openid`, a colon, and the issuer. */
    provider: text(),
    /** The provider's permanent id of the person. */
    subject: text(),
    /** Login at the provider at the last sign-in. */
    login: text(),
    name: text(),
    avatarUrl: text("avatar_url"),
    /** For an organisation: the person who created it and whose quotas it uses. */
    createdBy: text("created_by"),
    /** Quotas set by the operator instead of the service's; null: none. */
    quotas: text({ mode: "json" }).$type<Quotas>(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    index("accounts_by_creator").on(table.createdBy).where(sql`created_by IS NOT NULL`),
    uniqueIndex("accounts_by_skeleton").on(table.skeleton),
    uniqueIndex("accounts_by_identity").on(table.provider, table.subject),
  ],
);

/** Signed-in browsers by the SHA-256 of their token. */
export const sessions = sqliteTable(
  "sessions",
  {
    hash: text().primaryKey(),
    /** Hash of the token that the current one replaced. */
    previousHash: text("previous_hash"),
    rotatedAt: integer("rotated_at").notNull(),
    /** First use of the current token; null: its reply may have been lost. */
    confirmedAt: integer("confirmed_at"),
    id: text().notNull().unique(),
    owner: text().notNull(),
    csrfToken: text("csrf_token").notNull(),
    /** The browser's User-Agent. */
    browser: text().notNull(),
    createdAt: integer("created_at").notNull(),
    lastUsedAt: integer("last_used_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("sessions_by_previous").on(table.previousHash),
    index("sessions_by_owner").on(table.owner),
    index("sessions_by_expiry").on(table.expiresAt),
  ],
);

/** Programs without a browser that are being signed in, by the SHA-256 of their code. */
export const devices = sqliteTable(
  "devices",
  {
    hash: text().primaryKey(),
    userCode: text("user_code").notNull().unique(),
    name: text().notNull(),
    scope: text().$type<DeviceScope>().notNull().default("submit"),
    state: text({ enum: ["pending", "approved", "denied"] }).notNull(),
    /** Account of the key, and the person who approved it. */
    owner: text(),
    person: text(),
    intervalSeconds: integer("interval_seconds").notNull(),
    askedAt: integer("asked_at"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("devices_by_expiry").on(table.expiresAt)],
);

/** Members of organisations with their roles. */
export const members = sqliteTable(
  "members",
  {
    owner: text().notNull(),
    person: text().notNull(),
    role: text().$type<Role>().notNull(),
    addedAt: integer("added_at").notNull(),
    addedBy: text("added_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.person] }),
    index("members_by_person").on(table.person),
  ],
);

/** Open invitations to organisations, by the SHA-256 of their token. */
export const invitations = sqliteTable(
  "invitations",
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    owner: text().notNull(),
    role: text().$type<Role>().notNull(),
    /** The only account that may accept it; null: anyone with the link. */
    person: text(),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    index("invitations_by_owner").on(table.owner),
    index("invitations_by_expiry").on(table.expiresAt),
  ],
);

/**
 * Accounts that are being deleted, or were. Afterwards only the time and a keyed hash of the name's appearance remain,
 * so that nobody takes the name again. Times are Unix ms. Usage of the day and a ban are kept for the person's next
 * account.
 */
export const deletions = sqliteTable(
  "deletions",
  {
    hash: text().primaryKey(),
    /** Null once nothing of it is left. */
    owner: text(),
    requestedAt: integer("requested_at").notNull(),
    /** Until then, one message works on it. */
    heldUntil: integer("held_until").notNull().default(0),
    finishedAt: integer("finished_at"),
    /** Keyed hash of the person at the provider, until midnight UTC, or while banned. */
    identity: text(),
    used: text({ mode: "json" }).$type<{ day: string; samples: number; usd: number }>(),
    banned: text(),
  },
  (table) => [
    index("deletions_open").on(table.requestedAt).where(sql`owner IS NOT NULL`),
    index("deletions_by_identity").on(table.identity).where(sql`identity IS NOT NULL`),
  ],
);

/** Retention rules of accounts, in days; null: never deleted. */
export const retentions = sqliteTable(
  "retentions",
  {
    owner: text().notNull(),
    /** Name of the dataset that the rule is for; empty: all others. */
    dataset: text().notNull(),
    /** Answers, and whole runs. */
    answerDays: integer("answer_days"),
    runDays: integer("run_days"),
  },
  (table) => [primaryKey({ columns: [table.owner, table.dataset] })],
);

export type RetentionRecord = typeof retentions.$inferSelect;
export type DeletionRecord = typeof deletions.$inferSelect;
/** Domains that organisations claim. Several may claim a domain, but only one has it. */
export const domains = sqliteTable(
  "domains",
  {
    domain: text().notNull(),
    owner: text().notNull(),
    /** What the DNS record or file must contain. */
    token: text().notNull(),
    claimedBy: text("claimed_by").notNull(),
    claimedAt: integer("claimed_at").notNull(),
    checkedAt: integer("checked_at"),
    /** Null: not verified, or no longer. */
    verifiedAt: integer("verified_at"),
    /** First check of a verified domain without its proof; null: the last check found it. */
    failingSince: integer("failing_since"),
    /** Why the last check failed. */
    problem: text(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.owner] }),
    uniqueIndex("domains_verified").on(table.domain).where(sql`verified_at IS NOT NULL`),
    index("domains_due").on(table.checkedAt).where(sql`verified_at IS NOT NULL`),
    index("domains_by_owner").on(table.owner),
  ],
);

export type DomainRecord = typeof domains.$inferSelect;
export type MemberRecord = typeof members.$inferSelect;
export type InvitationRecord = typeof invitations.$inferSelect;
export type DeviceRecord = typeof devices.$inferSelect;
export type NewAccount = typeof accounts.$inferInsert;
export type AccountRecord = typeof accounts.$inferSelect;
export type SessionRecord = typeof sessions.$inferSelect;
