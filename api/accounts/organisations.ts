import { textHash } from "#shared/contracts/content-hash.ts";
import type {
  Invitation,
  Member,
  Organisation,
  Role,
} from "#shared/contracts/keys/organisation.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { nameSkeleton } from "#shared/contracts/text/slug.ts";
import type { AuditRecord } from "../operator/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { base64url } from "../security/base64url.ts";
import type { InvitationRecord, MemberRecord } from "./schema.ts";
import { nameProblem } from "./sign-in.ts";

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;
/** Maximum organisations of a person: each adds a condition to the person's reads. */
const MOST_ORGANISATIONS = 20;
const MOST_INVITATIONS = 100;

interface Refusal {
  type: "not-found" | "forbidden" | "conflict";
  detail: string;
}

const refused = (type: Refusal["type"], detail: string) => err({ type, detail } as const);

/** The same message whether the organisation exists or is hidden from the caller. */
const noOrganisation = (owner: string) =>
  refused("not-found", `you are in no organisation "${owner}"`);

/** The person's role; refuses strangers, and members with a lesser role. */
export async function memberWith(
  platform: Platform,
  owner: string,
  person: string,
  least: Role,
): Promise<Result<Role, Refusal>> {
  const role = await platform.organisations.role(owner, person);
  if (role === null) return noOrganisation(owner);
  if (RANK[role] >= RANK[least]) return ok(role);
  const detail = `this needs the role "${least}" in "${owner}", but yours is "${role}": ask one of its admins`;
  return refused("forbidden", detail);
}

const RANK: Record<Role, number> = { read: 0, submit: 1, admin: 2 };

/** Creates an organisation; its creator is the first admin. */
export async function createOrganisation(
  platform: Platform,
  { owner, name }: { owner: string; name: string },
  person: string,
  entry: AuditRecord,
): Promise<Result<Organisation, Refusal>> {
  const problem = await nameProblem(platform, owner);
  if (problem !== null) return refused("conflict", problem);
  const its = { owner, skeleton: nameSkeleton(owner), name, createdBy: person };
  const ofNobody = { provider: null, subject: null, login: null, avatarUrl: null, quotas: null };
  const account = { ...ofNobody, ...its, createdAt: platform.now() };
  if (await platform.organisations.create(account, person, entry, MOST_ORGANISATIONS)) {
    return ok({ owner, name, role: "admin" });
  }
  if (await isInTooMany(platform, person)) return tooMany;
  return refused("conflict", `"${owner}" is taken: choose another name`);
}

const isInTooMany = async (platform: Platform, person: string): Promise<boolean> =>
  (await platform.organisations.of(person)).length >= MOST_ORGANISATIONS;

const tooMany = refused(
  "conflict",
  `a person can be in at most ${MOST_ORGANISATIONS} organisations: leave one first`,
);

/** Invites somebody; only the hash of the link's token is stored. */
export async function invite(
  platform: Platform,
  owner: string,
  by: string,
  wanted: { role: Role; person?: string | undefined; days: number },
  noted: (invitation: Invitation) => AuditRecord,
): Promise<Result<{ invitation: Invitation; token: string }, Refusal>> {
  const now = platform.now();
  const token = base64url(platform.randomBytes(TOKEN_BYTES));
  const record: InvitationRecord = {
    hash: textHash(token),
    id: platform.newId("invitation"),
    owner,
    role: wanted.role,
    person: wanted.person ?? null,
    createdBy: by,
    createdAt: now,
    expiresAt: now + wanted.days * DAY_MS,
  };
  const invitation = invitationView(record);
  if (await platform.organisations.invite(record, noted(invitation), MOST_INVITATIONS)) {
    return ok({ invitation, token });
  }
  return refused("conflict", `there are ${MOST_INVITATIONS} open invitations: revoke some first`);
}

/** An open invitation that this person may accept. */
export async function openInvitation(
  platform: Platform,
  token: string,
  person: string,
): Promise<Result<InvitationRecord, Refusal>> {
  const found = await platform.organisations.invitation(textHash(token));
  const isOpen = found !== null && found.expiresAt > platform.now();
  const isTheirs = isOpen && (found.person === null || found.person === person);
  // The invitation is void if its author is no longer an admin.
  const isAdmins =
    isTheirs && (await platform.organisations.role(found.owner, found.createdBy)) === "admin";
  return isAdmins
    ? ok(found)
    : refused(
        "not-found",
        "this invitation was used, revoked, has ended, or is for another account",
      );
}

/** Makes a person a member, once. An existing member keeps their role. */
export async function acceptInvitation(
  platform: Platform,
  token: string,
  person: string,
  noted: (invitation: InvitationRecord) => AuditRecord,
): Promise<Result<InvitationRecord, Refusal>> {
  const open = await openInvitation(platform, token, person);
  if (!open.ok) return open;
  const { hash, owner, role, createdBy } = open.value;
  const member = { owner, person, role, addedAt: platform.now(), addedBy: createdBy };
  const entry = noted(open.value);
  const { acceptInvitation } = platform.organisations;
  if (await acceptInvitation(hash, member, entry, MOST_ORGANISATIONS)) return open;
  if (await isInTooMany(platform, person)) return tooMany;
  return refused("not-found", "this invitation was used meanwhile");
}

const LAST_ADMIN = "an organisation keeps an admin: make somebody else one first";

/** Changes a member's role, or (null) removes the member with the keys and links that they made. */
export async function changeMember(
  platform: Platform,
  owner: string,
  person: string,
  role: Role | null,
  entry: AuditRecord,
): Promise<Result<null, Refusal>> {
  const before = await platform.organisations.role(owner, person);
  if (before === null) return refused("not-found", `"${person}" is no member of "${owner}"`);
  const isChanged =
    role === null
      ? await platform.organisations.removeMember(owner, person, platform.now(), entry)
      : await platform.organisations.setRole(owner, person, role, platform.now(), entry);
  if (!isChanged) return refused("conflict", LAST_ADMIN);
  await platform.webhooks.endWithKeys(platform.now());
  return ok(null);
}

const iso = (ms: number) => new Date(ms).toISOString();

export const invitationView = (record: InvitationRecord): Invitation => {
  const { id, owner, role, person, createdBy, expiresAt } = record;
  return { id, owner, role, person, createdBy, expiresAt: iso(expiresAt) };
};

export const memberView = ({ person, role, addedAt, addedBy }: MemberRecord): Member => ({
  person,
  role,
  addedAt: iso(addedAt),
  addedBy,
});
