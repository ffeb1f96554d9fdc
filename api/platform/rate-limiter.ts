/** Periods of the bindings in wrangler.toml; the Worker can't read them. */
export const periodsSeconds = {
  read: 10,
  write: 10,
  "public-read": 10,
  comparison: 10,
  "costly-read": 60,
  test: 60,
  "failed-authentication": 60,
};

/** Kinds of requests, each with its own limit. */
export type RequestKind = keyof typeof periodsSeconds;

export type RateLimiter = ReturnType<typeof rateLimiter>;

/**
 * Counts requests per period with Cloudflare's bindings, one for each kind of request: approximate, and per location.
 * If a binding fails, requests pass.
 */
export function rateLimiter(bindings: Record<RequestKind, RateLimit>) {
  return {
    allows: (kind: RequestKind, caller: string): Promise<boolean> =>
      bindings[kind].limit({ key: caller }).then(
        ({ success }) => success,
        () => true,
      ),
    /** Length of the counting period. */
    periodSeconds: (kind: RequestKind): number => periodsSeconds[kind],
  };
}
