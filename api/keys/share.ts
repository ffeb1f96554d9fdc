import type { Platform } from "../platform/platform.ts";
import type { Account } from "./account.ts";
import type { ShareRecord } from "./share-schema.ts";

/**
 * What a token opens: everything that its link opens, or only a badge of its first run, which anybody who sees the
 * image may see.
 */
type Purpose = "share" | "badge";

/**
 * A sealed token that names a link: it can't be guessed or altered, and does not reveal what it opens. `metric`: the
 * metric of a badge; by default the run's headline.
 */
export const tokenOf = (
  { sealer }: Platform,
  id: string,
  purpose: Purpose,
  metric?: string,
): Promise<string> => sealer.seal(purpose, metric === undefined ? id : `${id} ${metric}`);

/** Longer than any token. */
const MAX_TOKEN = 500;

/**
 * The link of a token, and the metric of a badge; null if the token is forged or has another purpose, or the link has
 * expired or was revoked.
 */
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

/** The account of a caller with only a link: it may read what the link opens, and nothing else. */
export const nobody: Account = { owner: "", scopes: [], keyId: null, dailySamples: null };
