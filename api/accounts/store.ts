import { and, desc, eq, inArray, isNull, lt, ne, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import type { Quotas } from "#shared/contracts/keys/usage.ts";
import { nameSkeleton } from "#shared/contracts/text/slug.ts";
import type { Account } from "../keys/account.ts";
import { recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { prepared } from "../platform/sql.ts";
import {
  type AccountRecord,
  accounts,
  type DeviceRecord,
  devices,
  type NewAccount,
  type SessionRecord,
  sessions,
} from "./schema.ts";

export type AccountStore = ReturnType<typeof accountStore>;

/** Maximum sessions that are listed; "end all" also ends older ones. */
const MOST_SESSIONS = 100;

/** More than a person can create by hand. */
const MOST_SHARING = 1_000;

/** How long programs get the answer that their time is over. */
const FORGOTTEN_MS = 3_600_000;

/**
 * What deleted accounts leave. ?1: owner, ?2: provider, ?3: subject, ?4: when created, ?5: hashes of the identity, ?6:
 * day.
 */
const LEFT = `FROM deletions d WHERE d.identity IN (SELECT value FROM json_each(?5)) AND EXISTS (
  SELECT 1 FROM accounts WHERE owner = ?1 AND provider = ?2 AND subject = ?3 AND created_at = ?4)`;
const LEFT_TODAY = `${LEFT} AND d.used ->> '$.day' = ?6`;
const INHERITED: readonly string[] = [
  `INSERT OR IGNORE INTO usage (key, day, used, allowed)
    SELECT 'account:' || ?1, ?6, max(d.used ->> '$.samples'), max(d.used ->> '$.samples') ${LEFT_TODAY}
    HAVING max(d.used ->> '$.samples') > 0`,
  // Sums of judges whose names are no longer stored.
  `INSERT OR IGNORE INTO judge_spend (day, owner, judge, requests, input_tokens, output_tokens, usd, unpriced)
    SELECT ?6, ?1, 'deleted', 0, 0, 0, max(d.used ->> '$.usd'), 0 ${LEFT_TODAY}
    HAVING max(d.used ->> '$.usd') > 0`,
  `INSERT OR IGNORE INTO bans (owner, reason, by, at) SELECT ?1, d.banned, 'operator', ?4 ${LEFT}
    AND d.banned IS NOT NULL LIMIT 1`,
  // The new account has it now: a ban that was lifted must not return.
  `UPDATE deletions SET identity = NULL, used = NULL, banned = NULL WHERE hash IN (SELECT d.hash ${LEFT})`,
];

const STILL_MAY = `
  SELECT NOT EXISTS (SELECT 1 FROM bans WHERE owner IN (?1, ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM api_keys
      WHERE id = ?3 AND revoked_at IS NULL AND coalesce(expires_at > ?4, true)))
    AND (?5 IS NULL OR EXISTS (SELECT 1 FROM sessions WHERE id = ?5 AND expires_at > ?4))
    AND (?6 IS NULL OR EXISTS (SELECT 1 FROM members
      WHERE owner = ?1 AND person = ?2 AND role = ?6)) AS may`;

export function accountStore(d1: D1Database) {
  const db = drizzle(d1);
  return {
    /**
     * Stores nothing if the name, a similar-looking one, or the identity is taken. `former`: hashes of the identity;
     * deleted accounts with one of them pass on their usage of the day and their ban.
     */
    async insert(account: NewAccount, former: readonly string[], day: string): Promise<void> {
      const { owner, provider = null, subject = null, createdAt } = account;
      const given = [owner, provider, subject, createdAt, JSON.stringify(former), day];
      await d1.batch([
        prepared(d1, db.insert(accounts).values(account).onConflictDoNothing()),
        ...INHERITED.map((text) =>
          d1.prepare(text).bind(...given.slice(0, text.includes("?6") ? 6 : 5)),
        ),
      ]);
    },
    /** Reserves a name for keys of the operator. */
    async reserve(owner: string, now: number): Promise<void> {
      const row = { owner, skeleton: nameSkeleton(owner), createdAt: now };
      await db.insert(accounts).values(row).onConflictDoNothing();
    },
    /** Whether runs or datasets begin with this owner, or keys have it: both may be older than accounts. */
    async isNamed(owner: string, suites: readonly string[]): Promise<boolean> {
      // "0" follows "/" in ASCII.
      const named = await d1
        .prepare(
          `SELECT EXISTS (SELECT 1 FROM runs WHERE model_slug >= ?1 AND model_slug < ?2)
            OR EXISTS (SELECT 1 FROM datasets WHERE suite IN (SELECT value FROM json_each(?3))
              AND name >= ?1 AND name < ?2)
            OR EXISTS (SELECT 1 FROM api_keys WHERE owner = ?4) AS found`,
        )
        .bind(`${owner}/`, `${owner}0`, JSON.stringify(suites), owner)
        .first<{ found: number }>();
      return named?.found === 1;
    },
    async byOwner(owner: string): Promise<AccountRecord | null> {
      return (
        (await db.select().from(accounts).where(eq(accounts.owner, owner)).limit(1))[0] ?? null
      );
    },
    /** Organisations that a person created and that use the person's quotas. */
    async sharing(person: string): Promise<string[]> {
      const its = and(eq(accounts.createdBy, person), isNull(accounts.quotas));
      const found = db.select({ owner: accounts.owner }).from(accounts).where(its);
      return (await found.limit(MOST_SHARING)).map(({ owner }) => owner);
    },
    /** Sets an account's own quotas; null: those of the service apply. */
    async setQuotas(owner: string, quotas: Quotas | null, entry: AuditRecord): Promise<void> {
      const change = db.update(accounts).set({ quotas }).where(eq(accounts.owner, owner));
      await recorded(d1, change, entry);
    },
    async byIdentity(provider: string, subject: string): Promise<AccountRecord | null> {
      const its = and(eq(accounts.provider, provider), eq(accounts.subject, subject));
      return (await db.select().from(accounts).where(its).limit(1))[0] ?? null;
    },
    /** The account whose name has this skeleton. */
    async bySkeleton(skeleton: string): Promise<string | null> {
      const found = db.select({ owner: accounts.owner }).from(accounts);
      return (await found.where(eq(accounts.skeleton, skeleton)).limit(1))[0]?.owner ?? null;
    },
    async setProfile(
      owner: string,
      profile: Pick<AccountRecord, "login" | "name" | "avatarUrl">,
    ): Promise<void> {
      await db.update(accounts).set(profile).where(eq(accounts.owner, owner));
    },
    async addSession(session: SessionRecord): Promise<void> {
      await db.insert(sessions).values(session).onConflictDoNothing();
    },
    /** The session of a token, current or replaced, and its account. */
    async session(
      hash: string,
    ): Promise<{ session: SessionRecord; account: AccountRecord } | null> {
      const rows = await db
        .select({ session: sessions, account: accounts })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.owner, sessions.owner))
        .where(or(eq(sessions.hash, hash), eq(sessions.previousHash, hash)))
        .limit(1);
      return rows[0] ?? null;
    },
    /** Replaces a session's token, once: false if another request did. Idempotent. */
    async rotate(id: string, current: string, presented: string, next: string, now: number) {
      const changed = await db
        .update(sessions)
        .set({
          hash: next,
          previousHash: presented,
          rotatedAt: now,
          confirmedAt: null,
          lastUsedAt: now,
        })
        .where(and(eq(sessions.id, id), inArray(sessions.hash, [current, next])))
        .returning({ id: sessions.id });
      return changed.length > 0;
    },
    /** Records the use of a session; `confirms`: whether its newest token was used. */
    async markSessionUsed(id: string, now: number, confirms: boolean): Promise<void> {
      await db
        .update(sessions)
        .set({ lastUsedAt: now, ...(confirms && { confirmedAt: now }) })
        .where(eq(sessions.id, id));
    },
    /** Last used first. */
    sessionsOf: (owner: string): Promise<SessionRecord[]> =>
      db
        .select()
        .from(sessions)
        .where(eq(sessions.owner, owner))
        .orderBy(desc(sessions.lastUsedAt))
        .limit(MOST_SESSIONS),
    /** Whether a caller, found when the request began, is not banned since and still has their key, session or role. */
    async stillMay(
      { owner, person = owner, keyId }: Pick<Account, "owner" | "person" | "keyId">,
      session: { session: Pick<SessionRecord, "id">; role: Role | null } | null,
      now: number,
    ): Promise<boolean> {
      const [id, role] = [session?.session.id ?? null, session?.role ?? null];
      const bound = d1.prepare(STILL_MAY).bind(owner, person, keyId, now, id, role);
      return (await bound.first<number>("may")) === 1;
    },
    /** Ends one session of an account, or all of them; the number that ended. */
    async endSessions(owner: string, id: string | null): Promise<number> {
      const its = and(eq(sessions.owner, owner), id === null ? undefined : eq(sessions.id, id));
      const ended = await db.delete(sessions).where(its).returning({ id: sessions.id });
      return ended.length;
    },
    async addDevice(device: DeviceRecord): Promise<void> {
      await db.insert(devices).values(device).onConflictDoNothing();
    },
    async device(hash: string): Promise<DeviceRecord | null> {
      return (await db.select().from(devices).where(eq(devices.hash, hash)).limit(1))[0] ?? null;
    },
    async deviceByUserCode(code: string): Promise<DeviceRecord | null> {
      const found = db.select().from(devices).where(eq(devices.userCode, code)).limit(1);
      return (await found)[0] ?? null;
    },
    async markDeviceAsked(hash: string, intervalSeconds: number, now: number): Promise<void> {
      await db.update(devices).set({ askedAt: now, intervalSeconds }).where(eq(devices.hash, hash));
    },
    /** A person's decision, once: false if a decision exists already. */
    async decideDevice(
      code: string,
      { owner, person, approve }: { owner: string; person: string; approve: boolean },
      entry?: AuditRecord,
    ): Promise<boolean> {
      const change = db
        .update(devices)
        .set({ state: approve ? "approved" : "denied", owner, person })
        .where(and(eq(devices.userCode, code), eq(devices.state, "pending")))
        .returning({ hash: devices.hash });
      return (await recorded(d1, change, entry)).length > 0;
    },
    /** Removes a decided sign-in: null if another request did. */
    async takeDevice(hash: string): Promise<DeviceRecord | null> {
      const its = and(eq(devices.hash, hash), ne(devices.state, "pending"));
      return (await db.delete(devices).where(its).returning())[0] ?? null;
    },
    async forgetExpired(now: number): Promise<void> {
      await db.delete(sessions).where(lt(sessions.expiresAt, now));
      await db.delete(devices).where(lt(devices.expiresAt, now - FORGOTTEN_MS));
    },
  };
}
