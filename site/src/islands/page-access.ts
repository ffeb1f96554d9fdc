import { OWNER_HEADER, SHARE_HEADER, SIGNED_IN_MARK } from "#shared/contracts/keys/access-names.ts";

/** Where this tab keeps what opens private runs, until it is closed. */
const KEPT = { share: "assay-share", key: "assay-key", owner: "assay-owner" } as const;

/** Takes the token of a share link out of the page's address, so that it is in no history and no copy of it. */
export function takeShare(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("share");
  if (token === null) return;
  sessionStorage.setItem(KEPT.share, token);
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}

/** Keeps an API key for the reads of this tab. */
export function keepKey(key: string): void {
  sessionStorage.setItem(KEPT.key, key);
}

/** The API key that the reader gave to this tab. */
export const keptKey = (): string | null => globalThis.sessionStorage?.getItem(KEPT.key) ?? null;

/** A key that is no longer valid would hide even what is public from the pages of this tab. */
export const forgetKey = (): void => globalThis.sessionStorage?.removeItem(KEPT.key);

/** Whether this tab reads by a share link. */
export const hasShare = (): boolean => sessionStorage.getItem(KEPT.share) !== null;

/** Whether this browser has a session here; pages can't read its token. */
export const isSignedIn = (): boolean =>
  globalThis.document?.cookie?.includes(`__Host-${SIGNED_IN_MARK}=`) ?? false;

/** What proves that a write by the session is of this page, and for which organisation it acts; null: for the person. */
let session: { csrfToken: string; owner: string | null } | null = null;

/** Lets the calls of this page act by the browser's session. The organisation is kept in the tab. */
export function actBySession(csrfToken: string, owner: string | null): void {
  session = { csrfToken, owner };
  if (owner === null) sessionStorage.removeItem(KEPT.owner);
  else sessionStorage.setItem(KEPT.owner, owner);
}

/** The organisation for which the pages of this tab were to act last. */
export const keptOwner = (): string | null => sessionStorage.getItem(KEPT.owner);

/** How a call shows what it may do: by the given key; else reads by the tab's link and key; else by the session. */
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

/** Headers with which the pages of this tab read private runs. */
function keptHeaders(): Record<string, string> {
  if (globalThis.sessionStorage === undefined) return {};
  const share = sessionStorage.getItem(KEPT.share);
  const key = keptKey();
  return {
    ...(share !== null && { [SHARE_HEADER]: share }),
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
}
