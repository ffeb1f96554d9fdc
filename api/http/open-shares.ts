import type { MiddlewareHandler } from "hono";
import { SHARE_HEADER } from "#shared/contracts/keys/access-names.ts";
import { nobody, openedRuns } from "../keys/share.ts";
import { UNSHARED } from "./response-cache.ts";
import type { AppEnv } from "./router.ts";

/** Paths whose reads a link may open. */
const OPENED = /^\/v1\/(runs\/|submissions\/|compare$)/;

/** Lets a read with a share link see the runs that it opens. Its reply is kept nowhere. */
export const openShares: MiddlewareHandler<AppEnv> = async (c, next) => {
  const token = c.req.header(SHARE_HEADER);
  if (token === undefined || c.req.method !== "GET" || !OPENED.test(c.req.path)) return next();
  const shared = await openedRuns(c.var.platform, token, "share");
  if (shared.length > 0) c.set("account", { ...(c.var.account ?? nobody), shared });
  await next();
  c.header("cache-control", UNSHARED);
};
