import type { Platform } from "../platform/platform.ts";
import type { Account } from "./account.ts";
import type { ShareRecord } from "./share-schema.ts";

/** What a token opens: all that its link opens; or only the badge of its first run, which anybody may see who sees the image. */
type Purpose = "share" | "badge";

/** A sealed token names a link, so it can't be guessed or altered, and says nothing about what it opens. */
export const tokenOf = ({ sealer }: Platform, id: string, purpose: Purpose): Promise<string> =>
  sealer.seal(purpose, id);

/** Longer than any token. */
const MAX_TOKEN = 500;

/** The link of a token; null if it is forged, of another purpose, expired or revoked. */
export async function openShare(
  { sealer, shares, now }: Platform,
  token: string,
  purpose: Purpose,
): Promise<ShareRecord | null> {
  if (token.length > MAX_TOKEN) return null;
  const id = await sealer.open(purpose, token).catch(() => null);
  const share = id?.ok ? await shares.get(id.value) : null;
  return share === null || share.revokedAt !== null || share.expiresAt <= now() ? null : share;
}

/** Who has only a link: no account, and no rights but to read what the link opens. */
export const nobody: Account = { owner: "", scopes: [], keyId: null, dailySamples: null };
