import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import { apiKeys } from "../keys/schema.ts";
import { shares } from "../keys/share-schema.ts";
import { isMade } from "../operator/audit-store.ts";
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

/** Upper bound for lists; far more than an organisation has. */
const MOST_LISTED = 500;

/** SQL: another admin remains, so an organisation never loses its last one. */
const ANOTHER_ADMIN = (owner: string, person: string) =>
  sql`EXISTS (SELECT 1 FROM members other WHERE other.owner = ${owner} AND other.role = 'admin' AND other.person <> ${person})`;

const isOpen = (owner: string, now: number) =>
  and(eq(invitations.owner, owner), gt(invitations.expiresAt, now));

export function organisationStore(d1: D1Database) {
  const db = drizzle(d1);
  /** Adds a member if the previous statement changed something. An existing member keeps their role. */
  const memberIfChanged = ({ owner, person, role, addedAt, addedBy }: MemberRecord) =>
    db
      .insert(members)
      .select(sql`SELECT ${owner}, ${person}, ${role}, ${addedAt}, ${addedBy} WHERE changes() > 0`)
      .onConflictDoNothing();
  /** Revokes an organisation's keys and links whose maker may no longer submit for it, and changes who pays for it. */
  const takenFrom = (owner: string, person: string, now: number) => {
    const isOut = sql`NOT EXISTS (SELECT 1 FROM members m WHERE m.owner = ${owner} AND m.person = ${person} AND m.role <> 'read')`;
    const noAdmin = sql`NOT EXISTS (SELECT 1 FROM members m WHERE m.owner = ${owner} AND m.person = ${person} AND m.role = 'admin')`;
    const oldest = sql`(SELECT m.person FROM members m WHERE m.owner = ${owner} AND m.role = 'admin' ORDER BY m.added_at, m.person LIMIT 1)`;
    return [
      // Somebody else pays from now on.
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
     * Creates an organisation with its first admin. False if the name or a similar-looking one is taken, or the person
     * is already in `most`.
     */
    async create(account: AccountRecord, person: string, entry: AuditRecord, most: number) {
      const { owner, createdAt } = account;
      const limit = { counted: eq(members.person, person), of: members, most };
      const change = insertBelow(db, accounts, account, limit);
      const admin = { owner, person, role: "admin" as const, addedAt: createdAt, addedBy: person };
      // The audit entry exists only if the organisation is new.
      return isMade(d1, change, entry, [memberIfChanged(admin)]);
    },
    /** False if no role changes, or no admin would be left. Members who may no longer submit lose keys and links. */
    async setRole(owner: string, person: string, role: Role, now: number, entry: AuditRecord) {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const left = role === "admin" ? undefined : ANOTHER_ADMIN(owner, person);
      const change = db.update(members).set({ role }).where(and(its, left));
      return isMade(d1, change, entry, takenFrom(owner, person, now));
    },
    /** Like `setRole`. */
    async removeMember(owner: string, person: string, now: number, entry: AuditRecord) {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const change = db.delete(members).where(and(its, ANOTHER_ADMIN(owner, person)));
      return isMade(d1, change, entry, takenFrom(owner, person, now));
    },
    /** False if the organisation already has `most` open invitations. */
    async invite(invitation: InvitationRecord, entry: AuditRecord, most: number) {
      const { owner, createdAt } = invitation;
      const limit = { counted: isOpen(owner, createdAt), most };
      return isMade(d1, insertBelow(db, invitations, invitation, limit), entry);
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
    /**
     * Makes the invited person a member, once. False if the invitation no longer exists, or the person is already in
     * `most`.
     */
    async acceptInvitation(hash: string, member: MemberRecord, entry: AuditRecord, most: number) {
      const isBelow = sql`${db.$count(members, eq(members.person, member.person))} < ${most}`;
      const its = and(eq(invitations.hash, hash), isBelow);
      const change = db.delete(invitations).where(its);
      return isMade(d1, change, entry, [memberIfChanged(member)]);
    },
    revokeInvitation(owner: string, id: string, entry: AuditRecord): Promise<boolean> {
      const its = and(eq(invitations.owner, owner), eq(invitations.id, id));
      return isMade(d1, db.delete(invitations).where(its), entry);
    },
    async forgetInvitations(now: number): Promise<void> {
      await db.delete(invitations).where(lt(invitations.expiresAt, now));
    },
  };
}
