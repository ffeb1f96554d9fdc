import type { MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { textHash } from "#shared/contracts/content-hash.ts";
import { OWNER_HEADER, SIGNED_IN_MARK } from "#shared/contracts/keys/access-names.ts";
import { type FoundSession, SESSION_MS, sessionOf } from "../accounts/sessions.ts";
import { isForeign } from "./cross-origin.ts";
import { readableBody } from "./require-scope.ts";
import { problem } from "./responses.ts";
import { type AppContext, type AppEnv, bearerOf } from "./router.ts";

const NAME = "assay-session";
/** Browsers accept the prefix only over TLS, for this host and all paths: no subdomain can set the cookie. */
export const SESSION_COOKIE = `__Host-${NAME}`;

/** Lax, so that a link from another site finds its reader signed in; other sites can't write with it. */
const attributes = { prefix: "host", httpOnly: true, secure: true, sameSite: "Lax" } as const;

/** The session token of a request, valid or not; an API key takes precedence. */
export const sessionToken = (c: AppContext): string | null =>
  bearerOf(c) === null ? (getCookie(c, NAME, "host") ?? null) : null;

/** Sets the session cookie, and a cookie that tells pages that there is a session. */
export function giveSession(c: AppContext, token: string): void {
  const kept = { path: "/", maxAge: SESSION_MS / 1_000 };
  setCookie(c, NAME, token, { ...attributes, ...kept });
  setCookie(c, SIGNED_IN_MARK, "1", { ...attributes, ...kept, httpOnly: false });
}

/** Removes the cookies of a session that has ended. */
export function takeSession(c: AppContext): void {
  for (const name of [NAME, SIGNED_IN_MARK]) deleteCookie(c, name, { ...attributes, path: "/" });
}

/** The session of a request, whose token may be replaced with the reply. */
export async function sessionIn(c: AppContext): Promise<FoundSession | null> {
  const token = sessionToken(c);
  if (token === null) return null;
  const found = await sessionOf(c.var.platform, token, c.req.header(OWNER_HEADER) ?? null);
  if (found === null) takeSession(c);
  else if (found.newToken !== null) giveSession(c, found.newToken);
  return found;
}

const CSRF_HEADER = "x-csrf-token";
const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A write by a session must prove that a page of the service sent it, because browsers add the cookie automatically: by
 * its origin, and by a token that only such a page can read.
 */
export const checkSession: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { session } = c.var;
  if (session?.isStranger) {
    const detail = `you are in no organisation "${session.account.owner}": leave the header ${OWNER_HEADER} out, or ask its admins`;
    return problem(c, "forbidden", detail);
  }
  if (session === null || reading.has(c.req.method)) return next();
  const names = [c.req.header("origin"), c.req.header("sec-fetch-site")];
  const isOwn = names.some((name) => name !== undefined) && !isForeign(c);
  // Hashes have equal length and no common prefixes, so that comparing them reveals nothing.
  const given = textHash(c.req.header(CSRF_HEADER) ?? "");
  if (isOwn && given === textHash(session.session.csrfToken)) return next();
  const detail = `a session can write only from a page of this service, with the header ${CSRF_HEADER} that GET /v1/account names: reload the page, or use an API key`;
  return problem(c, "forbidden", detail);
};

/** For routes that only a signed-in person may call. */
export const requireSession: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { session, account, platform } = c.var;
  if (session !== null) return readableBody(c, next);
  const detail =
    platform.identityProviders.length === 0
      ? "this needs a signed-in person, and sign-in is not set up here: ask the operator"
      : "this needs a signed-in person, not a key: sign in at /account/";
  return problem(c, account === null ? "unauthorized" : "forbidden", detail);
};

/** The person who signed a program in with this key and may manage organisations by it. */
const personByKey = ({ var: { account, session } }: AppContext): string | null =>
  session === null && account?.scopes.includes("organisations") ? (account.person ?? null) : null;

/** For routes of a person's organisations: requires a session or the key of `assay login`. */
export const requirePerson: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (personByKey(c) !== null) return readableBody(c, next);
  const { session, account, platform } = c.var;
  const isKey = session === null && account !== null && platform.identityProviders.length > 0;
  if (!isKey) return requireSession(c, next);
  const detail =
    "this needs a signed-in person, or a key that manages organisations: run assay login --scope organisations, and approve it as yourself";
  return problem(c, "forbidden", detail);
};

/** The person who may manage their organisations with this request; null: nobody. */
export const personManaging = (c: AppContext): string | null =>
  c.var.session?.account.person ?? personByKey(c);

/** The person of a request that passed `requirePerson`. */
export const personOf = (c: AppContext): string => personByKey(c) ?? signedIn(c).account.person;

/** The session of a request that passed `requireSession`. */
export function signedIn({ var: { session } }: AppContext): FoundSession {
  if (session === null) throw new Error("requireSession lets nobody through without a session");
  return session;
}
