import type { MiddlewareHandler } from "hono";
import { localAccount } from "../keys/account.ts";
import { lruCache } from "../platform/lru-cache.ts";
import type { Platform } from "../platform/platform.ts";
import { problem } from "./responses.ts";
import type { AppEnv } from "./router.ts";

/** Accounts whose state an isolate remembers. */
const CAPACITY = 1_000;

interface Known {
  reason: string | null;
  until: number;
}

/**
 * Refuses every request of a banned account, however it authenticates. A ban takes effect within the time that public
 * reads are cached. Must run after `account` is set.
 */
export function refuseBanned(): MiddlewareHandler<AppEnv> {
  const known = lruCache<Known>(CAPACITY);
  const reasonFor = async ({ bans, settings, now }: Platform, owner: string) => {
    const its = known.get(owner);
    if (its !== undefined && its.until > now()) return its.reason;
    const reason = (await bans.get(owner))?.reason ?? null;
    known.set(owner, { reason, until: now() + settings.publicReadsKeptMs });
    return reason;
  };
  return async (c, next) => {
    const { account, platform } = c.var;
    if (account === null || account === localAccount) return next();
    // A person may act for an organisation.
    for (const name of new Set([account.owner, account.person ?? account.owner])) {
      const reason = await reasonFor(platform, name);
      if (reason === null) continue;
      const detail = `the account "${name}" is banned (${reason}): write to the operator of this service`;
      return problem(c, "forbidden", detail);
    }
    return next();
  };
}
