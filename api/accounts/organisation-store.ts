import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import { apiKeys } from "../keys/schema.ts";
import { shares } from "../keys/share-schema.ts";
import { recorded } from "../operator/audit-store.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { insertBelow } from "../platform/sql.ts";
import {
  type AccountRecord,
  accounts,
  type InvitationRecord,
  invitations,
  type MemberRecord,
  members,
} from "./schema.ts";

export type OrganisationStore = ReturnType<typeof organisationStore>;

/** Far more than lists show. */
const MOST_LISTED = 500;

/** An organisation keeps an admin: a change that would take the last one changes nothing. */
const ANOTHER_ADMIN = (owner: string, person: string) =>
  sql`EXISTS (SELECT 1 FROM members other WHERE other.owner = ${owner} AND other.role = 'admin' AND other.person <> ${person})`;

const isOpen = (owner: string, now: number) =>
  and(eq(invitations.owner, owner), gt(invitations.expiresAt, now));

/** Members and invitations of organisations, in D1. */
export function organisationStore(d1: D1Database) {
  const db = drizzle(d1);
  /** Adds a member if the statement before changed something. A member keeps the role that they have. */
  const memberIfChanged = ({ owner, person, role, addedAt, addedBy }: MemberRecord) =>
    db
      .insert(members)
      .select(sql`SELECT ${owner}, ${person}, ${role}, ${addedAt}, ${addedBy} WHERE changes() > 0`)
      .onConflictDoNothing();
  /** Keys and links of an organisation that somebody made who may not submit for it any more, and what it uses. */
  const takenFrom = (owner: string, person: string, now: number) => {
    const isOut = sql`NOT EXISTS (SELECT 1 FROM members m WHERE m.owner = ${owner} AND m.person = ${person} AND m.role <> 'read')`;
    const noAdmin = sql`NOT EXISTS (SELECT 1 FROM members m WHERE m.owner = ${owner} AND m.person = ${person} AND m.role = 'admin')`;
    const oldest = sql`(SELECT m.person FROM members m WHERE m.owner = ${owner} AND m.role = 'admin' ORDER BY m.added_at, m.person LIMIT 1)`;
    return [
      // Somebody else pays.
      db
        .update(accounts)
        .set({ createdBy: oldest })
        .where(and(eq(accounts.owner, owner), eq(accounts.createdBy, person), noAdmin)),
      db
        .update(apiKeys)
        .set({ revokedAt: now })
        .where(
          and(
            eq(apiKeys.owner, owner),
            eq(apiKeys.createdBy, person),
            isNull(apiKeys.revokedAt),
            isOut,
          ),
        ),
      db
        .update(shares)
        .set({ revokedAt: now })
        .where(
          and(
            eq(shares.owner, owner),
            eq(shares.createdBy, person),
            isNull(shares.revokedAt),
            isOut,
          ),
        ),
    ];
  };
  return {
    async role(owner: string, person: string): Promise<Role | null> {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const rows = await db.select({ role: members.role }).from(members).where(its).limit(1);
      return rows[0]?.role ?? null;
    },
    /** Organisations of a person, with the person's role. */
    of: (person: string) =>
      db
        .select({ owner: members.owner, name: accounts.name, role: members.role })
        .from(members)
        .innerJoin(accounts, eq(accounts.owner, members.owner))
        .where(eq(members.person, person))
        .orderBy(members.owner)
        .limit(MOST_LISTED),
    membersOf: (owner: string): Promise<MemberRecord[]> =>
      db
        .select()
        .from(members)
        .where(eq(members.owner, owner))
        .orderBy(members.person)
        .limit(MOST_LISTED),
    /**
     * Creates an organisation with its first admin. False if the name, or one that looks like it, is taken, or the person is
     * in `most`.
     */
    async create(account: AccountRecord, person: string, entry: AuditRecord, most: number) {
      const { owner, createdAt } = account;
      const limit = { counted: eq(members.person, person), of: members, most };
      const change = insertBelow(db, accounts, account, limit).returning();
      const admin = { owner, person, role: "admin" as const, addedAt: createdAt, addedBy: person };
      // The entry is there if the organisation is new.
      return (await recorded(d1, change, entry, [memberIfChanged(admin)])).length > 0;
    },
    /** False if nobody is changed, or nobody would be an admin. Who may not submit any more loses keys and links. */
    async setRole(owner: string, person: string, role: Role, now: number, entry: AuditRecord) {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const left = role === "admin" ? undefined : ANOTHER_ADMIN(owner, person);
      const change = db.update(members).set({ role }).where(and(its, left)).returning();
      return (await recorded(d1, change, entry, takenFrom(owner, person, now))).length > 0;
    },
    /** The same. */
    async removeMember(owner: string, person: string, now: number, entry: AuditRecord) {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const change = db
        .delete(members)
        .where(and(its, ANOTHER_ADMIN(owner, person)))
        .returning();
      return (await recorded(d1, change, entry, takenFrom(owner, person, now))).length > 0;
    },
    /** Idempotent. False if its organisation has `most` open ones. */
    async invite(invitation: InvitationRecord, entry: AuditRecord, most: number) {
      const { owner, createdAt } = invitation;
      const limit = { counted: isOpen(owner, createdAt), most };
      await recorded(d1, insertBelow(db, invitations, invitation, limit), entry);
      return (await db.$count(invitations, eq(invitations.hash, invitation.hash))) > 0;
    },
    invitationsOf: (owner: string, now: number): Promise<InvitationRecord[]> =>
      db
        .select()
        .from(invitations)
        .where(isOpen(owner, now))
        .orderBy(desc(invitations.createdAt))
        .limit(MOST_LISTED),
    async invitation(hash: string): Promise<InvitationRecord | null> {
      const found = db.select().from(invitations).where(eq(invitations.hash, hash)).limit(1);
      return (await found)[0] ?? null;
    },
    /** Makes an invitation's person a member, once: false if it is not there any more, or the person is in `most`. */
    async acceptInvitation(hash: string, member: MemberRecord, entry: AuditRecord, most: number) {
      const isBelow = sql`${db.$count(members, eq(members.person, member.person))} < ${most}`;
      const its = and(eq(invitations.hash, hash), isBelow);
      const change = db.delete(invitations).where(its).returning();
      return (await recorded(d1, change, entry, [memberIfChanged(member)])).length > 0;
    },
    async revokeInvitation(owner: string, id: string, entry: AuditRecord): Promise<boolean> {
      const its = and(eq(invitations.owner, owner), eq(invitations.id, id));
      const change = db.delete(invitations).where(its).returning({ id: invitations.id });
      return (await recorded(d1, change, entry)).length > 0;
    },
    async forgetInvitations(now: number): Promise<void> {
      await db.delete(invitations).where(lt(invitations.expiresAt, now));
    },
  };
}
