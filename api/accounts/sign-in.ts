import { textHash } from "#shared/contracts/content-hash.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { nameSkeleton, slugPart } from "#shared/contracts/text/slug.ts";
import { ownerRefusal } from "../datasets/service.ts";
import { dayOf } from "../keys/quota.ts";
import type { Platform } from "../platform/platform.ts";
import type { Identity } from "../providers/identity/dialect.ts";
import type { SignInChecks, SignInRefusal } from "../providers/identity/identity-providers.ts";
import { base64url } from "../security/base64url.ts";
import { identityText } from "./deleted-names.ts";
import { showOwner } from "./domains.ts";
import type { AccountRecord } from "./schema.ts";
import { beginSession } from "./sessions.ts";

export type { SignInRefusal };

/** How long a person may take at the provider. */
export const SIGN_IN_MS = 10 * 60_000;
const SECRET_BYTES = 32;
/** Associated data of a sealed sign-in, so that it has no other purpose. */
const SEAL_ID = "sign-in";

/** A sign-in that has begun, as its browser keeps it: sealed, because the verifier is a secret. */
interface BegunSignIn extends SignInChecks {
  provider: string;
  /** Path of the page to open afterwards. */
  to: string;
  until: number;
}

/** The browser's origin and the page to open afterwards. */
export interface SignInPlace {
  provider: string;
  /** Address of the service. */
  origin: string;
}

/** The address to which providers send the browser back. */
const redirectUri = ({ origin, provider }: SignInPlace): string =>
  `${origin}/v1/sign-in/${provider}/callback`;

const unknownProvider = (id: string): SignInRefusal => ({
  kind: "invalid",
  detail: `this service has no sign-in with "${id}"`,
});

/** Starts a sign-in: the address at the provider, and what the browser keeps until it returns. */
export async function beginSignIn(
  platform: Platform,
  place: SignInPlace,
  to: string,
): Promise<Result<{ url: URL; sealed: string }, SignInRefusal>> {
  const provider = platform.identityProviders.find(({ id }) => id === place.provider);
  if (provider === undefined) return err(unknownProvider(place.provider));
  const secret = () => base64url(platform.randomBytes(SECRET_BYTES));
  const checks = { state: secret(), verifier: secret(), nonce: secret() };
  const url = await provider.start(redirectUri(place), checks);
  if (!url.ok) return url;
  const until = platform.now() + SIGN_IN_MS;
  const begun: BegunSignIn = { ...checks, provider: place.provider, to, until };
  return ok({ url: url.value, sealed: await platform.sealer.seal(SEAL_ID, JSON.stringify(begun)) });
}

/**
 * Completes a sign-in with the provider's reply: a new session. Only the browser that started it can complete it, at
 * the same provider, and once, because the provider accepts a code once.
 */
export async function endSignIn(
  platform: Platform,
  place: SignInPlace,
  { reply, sealed, browser }: { reply: URLSearchParams; sealed: string | null; browser: string },
): Promise<Result<{ token: string; to: string }, SignInRefusal>> {
  const provider = platform.identityProviders.find(({ id }) => id === place.provider);
  if (provider === undefined) return err(unknownProvider(place.provider));
  const begun = await openedSignIn(platform, sealed);
  if (begun === null || begun.provider !== place.provider) {
    const detail = "this sign-in was not begun in this browser, or its time is over: sign in again";
    return err({ kind: "invalid", detail });
  }
  const identity = await provider.finish(reply, redirectUri(place), begun);
  if (!identity.ok) return identity;
  const account = await accountFor(platform, identity.value);
  const token = await beginSession(platform, account.owner, browser);
  return ok({ token, to: begun.to });
}

async function openedSignIn(
  platform: Platform,
  sealed: string | null,
): Promise<BegunSignIn | null> {
  if (sealed === null) return null;
  const opened = await platform.sealer.open(SEAL_ID, sealed);
  const begun = opened.ok ? (parsedJson(opened.value) as BegunSignIn | null) : null;
  return begun === null || begun.until <= platform.now() ? null : begun;
}

/** The account of a person, created at the first sign-in. */
async function accountFor(platform: Platform, identity: Identity): Promise<AccountRecord> {
  const { provider, subject, ...profile } = identity;
  const known = await platform.accounts.byIdentity(provider, subject);
  if (known !== null) {
    await platform.accounts.setProfile(known.owner, profile);
    const isShownAs = profile.name === known.name && profile.avatarUrl === known.avatarUrl;
    if (!isShownAs) await showOwner(platform, known.owner);
    return known;
  }
  const former = platform.sealer.pseudonyms(identityText(provider, subject));
  for (const owner of await freeNames(platform, identity)) {
    const skeleton = nameSkeleton(owner);
    const createdAt = platform.now();
    const account = { owner, skeleton, provider, subject, ...profile, createdAt };
    await platform.accounts.insert(account, former, dayOf(createdAt));
    const made = await platform.accounts.byIdentity(provider, subject);
    if (made !== null) return made;
  }
  throw new Error("every name for a new account was taken meanwhile");
}

/** Names that could be mistaken for the service's own, for roles and scopes, or for parts of its addresses. */
const reserved = new Set(
  `
  account accounts admin administrator anonymous api assay-evals audit badge bans batches board
  boards compare connections dataset datasets deleted deletions device docs everyone export
  exports help invitation judges judgings key keys leaderboard local login me member members model
  models moderator nobody null official operator organisation organisations owner parities person
  private public quotas rate read reports retention root run runner runners runs samples schedules
  security sessions settings shares sign-in snapshot staff submission submissions submit suites
  support system undefined usage user v1 webhooks www
  `
    .trim()
    .split(/\s+/)
    .map(nameSkeleton),
);

/** Maximum length of the login in a name, so that a provider's id and a hash still fit. */
const LOGIN_MAX = 48;
const HASH = 8;

/**
 * Names for a new account, best first: the login; with the provider's id; with a hash of the identity. Never a name
 * that another account or the service has, one that looks like it, or a prefix of names of runs and datasets.
 */
async function freeNames(platform: Platform, { provider, subject, login }: Identity) {
  const [id = ""] = provider.split(":");
  const [local = ""] = login.split("@");
  const base = slugPart(slugPart(local).slice(0, LOGIN_MAX)) || "user";
  const hash = textHash(`${provider}\n${subject}`).slice(0, HASH);
  // The last choice, if deleted accounts of the person had all the others.
  const another = base64url(platform.randomBytes(HASH))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  const names = [base, `${base}-${id}`, `${base}-${hash}`, `${base}-${another}`];
  const free = [];
  for (const name of names) {
    // At most OpenID providers people choose their names, so nobody may become an admin by name.
    if (id === "openid" && platform.settings.adminAccounts.includes(`openid:${name}`)) continue;
    if ((await nameProblem(platform, name)) === null) free.push(name);
  }
  return free;
}

/** Why a new account can't have this name; null if it can. */
export async function nameProblem(platform: Platform, name: string): Promise<string | null> {
  if (reserved.has(nameSkeleton(name))) return `"${name}" is reserved: choose another name`;
  const refusal = await ownerRefusal(platform, name);
  if (refusal !== null) return refusal;
  const suites = platform.suites.all.map((suite) => suite.id);
  const isTaken =
    (await platform.accounts.byOwner(name)) !== null ||
    (await platform.accounts.isNamed(name, suites));
  return isTaken ? `"${name}" is taken: choose another name` : null;
}
