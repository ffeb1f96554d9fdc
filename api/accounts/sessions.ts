import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { Scope } from "#shared/contracts/keys/api-key.ts";
import type { Role } from "#shared/contracts/keys/organisation.ts";
import type { Account } from "../keys/account.ts";
import type { Platform } from "../platform/platform.ts";
import { base64url } from "../security/base64url.ts";
import type { AccountRecord, SessionRecord } from "./schema.ts";

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

/** A session ends this long after sign-in, or this long after its last use. */
export const SESSION_MS = 30 * DAY_MS;
const IDLE_MS = 7 * DAY_MS;
/** Age at which a token is replaced: a stolen one is noticed when either holder uses the old one. */
const ROTATED_MS = HOUR_MS;
/** Requests sent just before the token was replaced still use the old one. */
const GRACE_MS = MINUTE_MS;
/** Resolution of "last used". */
const USED_MS = MINUTE_MS;
const TOKEN_BYTES = 32;

/** A session, the account that it acts as, and the token that replaces the request's. */
export interface FoundSession {
  account: Account & { person: string };
  /** The person's role in the organisation that the session acts for; null: it acts for the person. */
  role: Role | null;
  /** Whether the person is not a member of the requested organisation. */
  isStranger: boolean;
  record: AccountRecord;
  session: SessionRecord;
  newToken: string | null;
}

const newToken = ({ randomBytes }: Pick<Platform, "randomBytes">) =>
  base64url(randomBytes(TOKEN_BYTES));

/** Signs a browser in: a new session with a token of 256 random bits, of which the hash is stored. */
export async function beginSession(
  platform: Platform,
  owner: string,
  browser: string,
): Promise<string> {
  const now = platform.now();
  const token = newToken(platform);
  await platform.accounts.addSession({
    hash: textHash(token),
    previousHash: null,
    rotatedAt: now,
    confirmedAt: null,
    id: platform.newId("session"),
    owner,
    csrfToken: newToken(platform),
    browser: cutText(browser, bounds.name),
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + SESSION_MS,
  });
  return token;
}

/**
 * The session of a token; null if it has ended. If a replaced token is used although its successor arrived, and later
 * than a request can still be on its way, one of the two was stolen: the session ends. `actsFor`: an organisation;
 * null: the person.
 */
export async function sessionOf(
  platform: Platform,
  token: string,
  actsFor: string | null = null,
): Promise<FoundSession | null> {
  const now = platform.now();
  const hash = textHash(token);
  const found = await platform.accounts.session(hash);
  if (found === null) return null;
  const { session, account: record } = found;
  const isCurrent = session.hash === hash;
  const isReplayed = !isCurrent && isOver(session.confirmedAt, GRACE_MS, now);
  if (isReplayed || hasEnded(session, now)) {
    await platform.accounts.endSessions(session.owner, session.id);
    return null;
  }
  const age = isCurrent ? ROTATED_MS : GRACE_MS;
  const isDue = isOver(session.rotatedAt, age, now) && (isCurrent || session.confirmedAt === null);
  const next = isDue ? newToken(platform) : null;
  const isRotated =
    next !== null &&
    (await platform.accounts.rotate(session.id, session.hash, hash, textHash(next), now));
  const confirms = isCurrent && session.confirmedAt === null;
  if (!isRotated && (confirms || isOver(session.lastUsedAt, USED_MS, now))) {
    await platform.accounts.markSessionUsed(session.id, now, confirms);
  }
  const acting = await actingAs(platform, record, actsFor ?? record.owner);
  return { ...acting, record, session, newToken: isRotated ? next : null };
}

/** Whether a time is longer ago than `ms`; false if it is not set. */
const isOver = (at: number | null, ms: number, now: number): boolean =>
  at !== null && now - at > ms;

/** Whether a session is too old, or unused for too long. */
export const hasEnded = ({ expiresAt, lastUsedAt }: SessionRecord, now: number): boolean =>
  expiresAt <= now || lastUsedAt + IDLE_MS <= now;

/** Scopes of a member acting for an organisation: those of a key of it. */
const scopesOf: Record<Role, Scope[]> = { read: [], submit: ["submit"], admin: ["submit"] };

/** Whether the operator listed the person as an admin of the service. */
export function isServiceAdmin(
  { settings, identityProviders }: Pick<Platform, "settings" | "identityProviders">,
  { owner, provider }: AccountRecord,
): boolean {
  const id = identityProviders.find(({ key }) => key === provider)?.id;
  return id !== undefined && settings.adminAccounts.includes(`${id}:${owner}`);
}

/**
 * The account that a session acts as, with the rights of its keys. It is an admin of the service only if the operator
 * listed the person.
 */
async function actingAs(platform: Platform, record: AccountRecord, owner: string) {
  const { owner: person } = record;
  const organisations = await platform.organisations.of(person);
  const reads = [person, ...organisations.map((one) => one.owner)];
  const shared = { owner, person, reads, keyId: null, dailySamples: null };
  if (owner !== person) {
    const role = organisations.find((one) => one.owner === owner)?.role ?? null;
    const scopes = role === null ? [] : scopesOf[role];
    return { account: { ...shared, scopes }, role, isStranger: role === null };
  }
  const scopes: Scope[] = isServiceAdmin(platform, record) ? ["submit", "admin"] : ["submit"];
  return { account: { ...shared, scopes }, role: null, isStranger: false };
}
