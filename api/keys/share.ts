import type { Platform } from "../platform/platform.ts";
import type { Account } from "./account.ts";

/** What a token opens: the runs of a link; or only the badge of its first run, which anybody may see who sees the image. */
type Purpose = "share" | "badge";

/** A sealed token names a link, so it can't be guessed or altered, and says nothing about the runs. */
export const tokenOf = ({ sealer }: Platform, id: string, purpose: Purpose): Promise<string> =>
  sealer.seal(purpose, id);

/** Longer than any token. */
const MAX_TOKEN = 500;

/** Ids of the runs that a token opens, that of the link first; none if it is forged, of another purpose, expired or revoked. */
export async function openedRuns(
  { sealer, shares, now }: Platform,
  token: string,
  purpose: Purpose,
): Promise<string[]> {
  if (token.length > MAX_TOKEN) return [];
  const id = await sealer.open(purpose, token).catch(() => null);
  const share = id?.ok ? await shares.get(id.value) : null;
  if (share === null || share.revokedAt !== null || share.expiresAt <= now()) return [];
  return share.runs;
}

/** Who has only a link: no account, and no rights but to read what the link opens. */
export const nobody: Account = { owner: "", scopes: [], keyId: null, dailySamples: null };
