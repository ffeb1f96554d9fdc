import type { D1Migration } from "cloudflare:test";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      /** Two requests a minute. */
      TIGHT_LIMIT: RateLimit;
      SECRETS_KEY?: string;
      SITE_REBUILD_HOOK?: string;
    }
  }
}
