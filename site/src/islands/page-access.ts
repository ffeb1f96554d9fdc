import { SHARE_HEADER } from "#shared/contracts/keys/share-header.ts";

/** Where this tab keeps what opens private runs, until it is closed. */
const KEPT = { share: "assay-share", key: "assay-key" } as const;

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

/** Headers with which the pages of this tab read private runs. */
export function accessHeaders(): Record<string, string> {
  if (globalThis.sessionStorage === undefined) return {};
  const share = sessionStorage.getItem(KEPT.share);
  const key = sessionStorage.getItem(KEPT.key);
  return {
    ...(share !== null && { [SHARE_HEADER]: share }),
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
}
