import type { MiddlewareHandler } from "hono";
import { SHARE_HEADER } from "#shared/contracts/keys/access-names.ts";
import { nobody, openShare } from "../keys/share.ts";
import { UNSHARED } from "./response-cache.ts";
import type { AppContext, AppEnv } from "./router.ts";

/** Paths of reads that a link may open. */
const OPENED = /^\/v1\/(runs\/|submissions\/|parities\/|(compare|judgings)$)/;

/** Whether a link may open the request. The public board at the same path is the same for everyone. */
const isOpened = ({ req }: AppContext): boolean =>
  OPENED.test(req.path) || (req.path === "/v1/leaderboard" && req.query("mine") === "true");

/** Lets a read with a share link see what the link opens. Its reply is never cached. */
export const openShares: MiddlewareHandler<AppEnv> = async (c, next) => {
  const token = c.req.header(SHARE_HEADER);
  if (token === undefined || c.req.method !== "GET" || !isOpened(c)) return next();
  const share = await openShare(c.var.platform, token, "share");
  if (share !== null) {
    const { runs: shared, owner, opens: thing, createdAt: madeAt } = share;
    c.set("account", { ...(c.var.account ?? nobody), shared, opened: { owner, thing, madeAt } });
  }
  await next();
  c.header("cache-control", UNSHARED);
};
