/** The periods of the bindings in wrangler.toml, which Cloudflare doesn't tell the Worker. */
export const periodsSeconds = {
  read: 10,
  write: 10,
  "public-read": 10,
  comparison: 10,
  "failed-authentication": 60,
};

/** Kinds of requests, each with a limit of its own. */
export type RequestKind = keyof typeof periodsSeconds;

export type RateLimiter = ReturnType<typeof rateLimiter>;

/**
 * Counts requests over some seconds with Cloudflare's bindings, one a kind of request: approximate, and per location.
 * An outage of theirs stops nobody.
 */
export function rateLimiter(bindings: Record<RequestKind, RateLimit>) {
  return {
    allows: (kind: RequestKind, caller: string): Promise<boolean> =>
      bindings[kind].limit({ key: caller }).then(
        ({ success }) => success,
        () => true,
      ),
    /** After so long the count begins again. */
    periodSeconds: (kind: RequestKind): number => periodsSeconds[kind],
  };
}
