import type { D1Migration } from "cloudflare:test";
import type { QuickBucket, QuickDatabase } from "./quick-storage/storage-worker.ts";

declare global {
  namespace Cloudflare {
    interface Env {
      MIGRATIONS: D1Migration[];
      /** A rate limit of two requests per minute. */
      TIGHT_LIMIT: RateLimit;
      QUICK_DATABASE: DurableObjectNamespace<QuickDatabase>;
      QUICK_BUCKET: Service<QuickBucket>;
      SECRETS_KEY?: string;
      SITE_REBUILD_HOOK?: string;
    }
  }
}
