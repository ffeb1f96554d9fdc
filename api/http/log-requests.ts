import type { MiddlewareHandler } from "hono";
import { logLine } from "../platform/log.ts";
import { routeOf } from "./record-actions.ts";
import type { AppContext, AppEnv } from "./router.ts";

/** Ids made by the service: the only parts of a path that a log line may contain. */
const madeId = /\b(run|sub|key|wh|sched|rep|act|bridge|retry)_[0-9a-z]{1,64}\b/g;

const names: Readonly<Record<string, string>> = { run: "run", sub: "submission" };

/**
 * Writes one log line per request: its id, route, status and duration, the caller's account and key, and the ids that
 * relate it to lines of lanes: `run` and `submission`, from the path or the created resource. Never the address, its
 * query, or anything that was sent or returned.
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
