import type { Platform } from "../platform/platform.ts";
import type { Account } from "./account.ts";
import type { ShareRecord } from "./share-schema.ts";

/** What a token opens: all that its link opens; or only a badge of its first run, which anybody may see who sees the image. */
type Purpose = "share" | "badge";

/**
 * A sealed token names a link, so it can't be guessed or altered, and says nothing about what it opens. `metric`: the one
 * of a badge; by default the run's headline.
 */
export const tokenOf = (
  { sealer }: Platform,
  id: string,
  purpose: Purpose,
  metric?: string,
): Promise<string> => sealer.seal(purpose, metric === undefined ? id : `${id} ${metric}`);

/** Longer than any token. */
const MAX_TOKEN = 500;

/** The link of a token, and the metric of a badge; null if it is forged, of another purpose, expired or revoked. */
export async function openShare(
  { sealer, shares, now }: Platform,
  token: string,
  purpose: Purpose,
): Promise<(ShareRecord & { metric: string | undefined }) | null> {
  if (token.length > MAX_TOKEN) return null;
  const opened = await sealer.open(purpose, token).catch(() => null);
  const [id = "", metric] = opened?.ok ? opened.value.split(" ") : [];
  const share = id === "" ? null : await shares.get(id);
  const isOver = share === null || share.revokedAt !== null || share.expiresAt <= now();
  return isOver ? null : { ...share, metric };
}

/** Who has only a link: no account, and no rights but to read what the link opens. */
export const nobody: Account = { owner: "", scopes: [], keyId: null, dailySamples: null };
