import type { MiddlewareHandler } from "hono";
import { logLine } from "../platform/log.ts";
import { routeOf } from "./record-actions.ts";
import type { AppContext, AppEnv } from "./router.ts";

/** Ids that the service makes: what a line may have of a path. */
const madeId = /\b(run|sub|key|wh|sched|rep|act|bridge|retry)_[0-9a-z]{1,64}\b/g;

const names: Readonly<Record<string, string>> = { run: "run", sub: "submission" };

/**
 * Writes one line a request: its id, route, status and duration, the caller's account and key, and the ids that join it to
 * lines of lanes: `run` and `submission`, of the path or of what was created. Never the address itself, its query, or
 * anything that was sent or returned.
 */
export const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const begun = c.var.platform.now();
  await next();
  const { platform, account, requestId } = c.var;
  if (!platform.settings.logsActivity) return;
  logLine("request", {
    requestId,
    method: c.req.method,
    route: routeOf(c),
    status: c.res.status,
    ms: platform.now() - begun,
    account: account?.owner,
    key: account?.keyId,
    ...idsOf(c),
  });
};

function idsOf(c: AppContext): Record<string, string> {
  const places = `${c.req.path} ${c.res.headers.get("location") ?? ""}`;
  const found = [...places.matchAll(madeId)].map(([id, kind = ""]) => [names[kind] ?? kind, id]);
  return Object.fromEntries(found);
}
