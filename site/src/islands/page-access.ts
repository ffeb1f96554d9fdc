import { OWNER_HEADER, SHARE_HEADER, SIGNED_IN_MARK } from "#shared/contracts/keys/access-names.ts";

/** Keys under which this tab stores access to private runs until it is closed. */
const KEPT = { share: "assay-share", key: "assay-key", owner: "assay-owner" } as const;

/** Removes the token of a share link from the page's address, so that no history and no copied address contains it. */
export function takeShare(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("share");
  if (token === null) return;
  sessionStorage.setItem(KEPT.share, token);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}

/** Stores an API key for the reads of this tab. */
export function keepKey(key: string): void {
  sessionStorage.setItem(KEPT.key, key);
}

/** The API key that the reader gave this tab. */
export const keptKey = (): string | null => globalThis.sessionStorage?.getItem(KEPT.key) ?? null;

/** Forgets a key that is no longer valid, because it would hide even public data from the pages of this tab. */
export const forgetKey = (): void => globalThis.sessionStorage?.removeItem(KEPT.key);

/** Whether this tab reads with a share link. */
export const hasShare = (): boolean => sessionStorage.getItem(KEPT.share) !== null;

/** Whether this browser has a session; pages can't read its token. */
export const isSignedIn = (): boolean =>
  globalThis.document?.cookie?.includes(`__Host-${SIGNED_IN_MARK}=`) ?? false;

/**
 * The proof that a write by the session comes from this page, and the organisation that it acts for; null: the person.
 */
let session: { csrfToken: string; owner: string | null } | null = null;

/** Makes the calls of this page use the browser's session. The organisation is stored in the tab. */
export function actBySession(csrfToken: string, owner: string | null): void {
  session = { csrfToken, owner };
  if (owner === null) sessionStorage.removeItem(KEPT.owner);
  else sessionStorage.setItem(KEPT.owner, owner);
}

/** The organisation for which the pages of this tab acted last. */
export const keptOwner = (): string | null => sessionStorage.getItem(KEPT.owner);

/** The access headers of a call: the given key; otherwise for reads the tab's link and key; otherwise the session. */
export function accessOf(
  { isRead, bySession, asPerson }: { isRead: boolean; bySession?: boolean; asPerson?: boolean },
  key: string,
): { headers: Record<string, string>; credentials: RequestCredentials } {
  if (key) return { headers: { authorization: `Bearer ${key}` }, credentials: "omit" };
  const usesKept = isRead && !bySession && session === null;
  const headers: Record<string, string> = usesKept ? keptHeaders() : {};
  if (session?.owner && !asPerson) headers[OWNER_HEADER] = session.owner;
  if (session !== null && !isRead) headers["x-csrf-token"] = session.csrfToken;
  return { headers, credentials: isRead || session !== null ? "same-origin" : "omit" };
}

/** Headers with which pages of this tab read private runs. */
function keptHeaders(): Record<string, string> {
  if (globalThis.sessionStorage === undefined) return {};
  const share = sessionStorage.getItem(KEPT.share);
  const key = keptKey();
  return {
    ...(share !== null && { [SHARE_HEADER]: share }),
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
}
