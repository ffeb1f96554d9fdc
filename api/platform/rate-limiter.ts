import type { RateLimiter, RequestKind } from "./limit-ports.ts";

/** The periods of the bindings in wrangler.toml, which Cloudflare doesn't tell the Worker. */
export const periodsSeconds: Record<RequestKind, number> = {
  read: 10,
  write: 10,
  "public-read": 10,
  comparison: 10,
  "failed-authentication": 60,
};

/** Cloudflare's rate-limit bindings, one a kind of request. An outage of theirs stops nobody. */
export function rateLimiter(bindings: Record<RequestKind, RateLimit>): RateLimiter {
  return {
    allows: (kind, caller) =>
      bindings[kind].limit({ key: caller }).then(
        ({ success }) => success,
        () => true,
      ),
    periodSeconds: (kind) => periodsSeconds[kind],
  };
}
