import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import {
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

/** Members and invitations of organisations, in D1. */
export function organisationStore(d1: D1Database) {
  const db = drizzle(d1);
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
    async addMember(member: MemberRecord): Promise<void> {
      await db.insert(members).values(member).onConflictDoNothing();
    },
    /** False if nobody is changed, or nobody would be an admin. */
    async setRole(owner: string, person: string, role: Role): Promise<boolean> {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const left = role === "admin" ? undefined : ANOTHER_ADMIN(owner, person);
      const changed = await db
        .update(members)
        .set({ role })
        .where(and(its, left))
        .returning({ person: members.person });
      return changed.length > 0;
    },
    /** The same. */
    async removeMember(owner: string, person: string): Promise<boolean> {
      const its = and(eq(members.owner, owner), eq(members.person, person));
      const removed = await db
        .delete(members)
        .where(and(its, ANOTHER_ADMIN(owner, person)))
        .returning({ person: members.person });
      return removed.length > 0;
    },
    async invite(invitation: InvitationRecord): Promise<void> {
      await db.insert(invitations).values(invitation).onConflictDoNothing();
    },
    invitationsOf: (owner: string, now: number): Promise<InvitationRecord[]> =>
      db
        .select()
        .from(invitations)
        .where(and(eq(invitations.owner, owner), gt(invitations.expiresAt, now)))
        .orderBy(desc(invitations.createdAt))
        .limit(MOST_LISTED),
    async invitation(hash: string): Promise<InvitationRecord | null> {
      const found = db.select().from(invitations).where(eq(invitations.hash, hash)).limit(1);
      return (await found)[0] ?? null;
    },
    /** Removes an invitation: null if it is not there any more. */
    async takeInvitation(hash: string): Promise<InvitationRecord | null> {
      const its = eq(invitations.hash, hash);
      return (await db.delete(invitations).where(its).returning())[0] ?? null;
    },
    async revokeInvitation(owner: string, id: string): Promise<boolean> {
      const its = and(eq(invitations.owner, owner), eq(invitations.id, id));
      const revoked = await db.delete(invitations).where(its).returning({ id: invitations.id });
      return revoked.length > 0;
    },
    async forgetInvitations(now: number): Promise<void> {
      await db.delete(invitations).where(lt(invitations.expiresAt, now));
    },
  };
}
