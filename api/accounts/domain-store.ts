import { and, asc, eq, isNotNull, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { PublicOwner } from "#shared/contracts/keys/account.ts";
import { insertBelow } from "../platform/sql.ts";
import { type DomainRecord, domains } from "./schema.ts";

export type DomainStore = ReturnType<typeof domainStore>;

/** How long a domain is shown after its last check: a day longer than a proof may be missing. */
const SHOWN_MS = 8 * 86_400_000;

const PUBLIC_OWNER = `
  SELECT name, avatar_url AS url, (SELECT json_group_array(domain) FROM domains
    WHERE domains.owner = ?1 AND verified_at IS NOT NULL AND checked_at >= ?2) AS domains
  FROM accounts WHERE owner = ?1`;

/** Counts the runs that show an owner, for the next snapshot. */
const COUNT_OWNED = `
  INSERT INTO snapshot_changes (kind, id) SELECT 'runs', id FROM runs
    WHERE owner = ?1 AND visibility = 'public' AND status IN ('finished', 'failed')
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

export function domainStore(d1: D1Database) {
  const db = drizzle(d1);
  const isIt = ({ domain, owner }: Pick<DomainRecord, "domain" | "owner">) =>
    and(eq(domains.domain, domain), eq(domains.owner, owner));
  return {
    of: (owner: string): Promise<DomainRecord[]> =>
      db.select().from(domains).where(eq(domains.owner, owner)).orderBy(asc(domains.domain)),
    async get(owner: string, domain: string): Promise<DomainRecord | null> {
      const found = db.select().from(domains).where(isIt({ owner, domain })).limit(1);
      return (await found)[0] ?? null;
    },
    /** The organisation that has verified the domain. */
    async holder(domain: string): Promise<DomainRecord | null> {
      const its = and(eq(domains.domain, domain), isNotNull(domains.verifiedAt));
      return (await db.select().from(domains).where(its).limit(1))[0] ?? null;
    },
    /** The claim, new or existing; null if its owner already has `most`. */
    async claim(record: DomainRecord, most: number): Promise<DomainRecord | null> {
      const counted = eq(domains.owner, record.owner);
      await insertBelow(db, domains, record, { counted, most });
      return (await db.select().from(domains).where(isIt(record)))[0] ?? null;
    },
    /** Saves a check; false if another organisation has verified the domain meanwhile. */
    async save(record: DomainRecord): Promise<boolean> {
      const { checkedAt, verifiedAt, failingSince, problem } = record;
      try {
        const set = { checkedAt, verifiedAt, failingSince, problem };
        await db.update(domains).set(set).where(isIt(record));
        return true;
      } catch (error) {
        if (/UNIQUE/.test(`${error} ${(error as Error).cause}`)) return false;
        throw error;
      }
    },
    async remove(owner: string, domain: string): Promise<boolean> {
      const removed = db.delete(domains).where(isIt({ owner, domain }));
      return (await removed.returning({ domain: domains.domain })).length > 0;
    },
    /** Verified domains not checked since `before`, the least recently checked first. */
    due: (before: number, limit: number): Promise<DomainRecord[]> =>
      db
        .select()
        .from(domains)
        .where(and(isNotNull(domains.verifiedAt), lt(domains.checkedAt, before)))
        .orderBy(asc(domains.checkedAt))
        .limit(limit),
    /** What everybody sees of an account that signed in, or of an organisation; null: nothing. */
    /** With domains that are proven and were checked lately: checks may be late when there are many. */
    async publicOwner(owner: string, now: number): Promise<PublicOwner | null> {
      const found = await d1
        .prepare(PUBLIC_OWNER)
        .bind(owner, now - SHOWN_MS)
        .first<{ name: string | null; url: string | null; domains: string }>();
      if (found === null) return null;
      const its = JSON.parse(found.domains) as string[];
      const isKnown = found.name !== null || found.url !== null || its.length > 0;
      return isKnown ? { owner, name: found.name, url: found.url, domains: its.sort() } : null;
    },
    /** Publishes an owner's public runs again after a change of its name or domains. */
    async countOwned(owner: string): Promise<void> {
      await d1.prepare(COUNT_OWNED).bind(owner).run();
    },
  };
}
