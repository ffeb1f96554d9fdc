import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { reasonSchema } from "#shared/contracts/operator/audit.ts";
import { type Account, localAccount } from "../keys/account.ts";
import { logProblem } from "../platform/log.ts";
import type { AppContext, AppEnv, NotedAction } from "./router.ts";

/**
 * Has the request's action recorded in the audit log once it has succeeded, whoever acts. For all that changes rights or
 * visibility; never with secrets.
 */
export const noteAction = (c: AppContext, noted: NotedAction): void => c.set("noted", noted);

/** What programs send all the time, and what changes nothing. */
const unrecorded = /^\/v1\/(runners\/[^/]+\/requests(\/|$)|connections$)/;

const isAdminsChange = ({ req }: AppContext, account: Account): boolean =>
  account !== localAccount &&
  account.scopes.includes("admin") &&
  req.method !== "GET" &&
  req.method !== "HEAD" &&
  !unrecorded.test(req.path);

/** The path of the request's route, such as `/v1/runs/:id/cancel`. */
export const routeOf = (c: AppContext): string =>
  matchedRoutes(c).findLast(({ path }) => !path.includes("*"))?.path ?? "*";

/**
 * Records in the audit log every change by an admin, and what a route notes. Refused requests change nothing; after an
 * error of the service, the action may have been done. On a machine of one's own without keys, only what is noted. If the
 * entry can't be written, the request fails, and the log has the entry.
 */
export const recordActions: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { account, noted, platform, requestId } = c.var;
  const { status } = c.res;
  const isRefused = status >= 400 && status < 500;
  if (account === null || isRefused) return;
  if (noted === undefined && !isAdminsChange(c, account)) return;
  const entry = {
    at: platform.now(),
    id: platform.newId("act"),
    actor: account.person ?? account.owner,
    keyId: account.keyId,
    action: noted?.action ?? `${c.req.method} ${routeOf(c)}`,
    target: noted?.target ?? c.req.path,
    reason: noted?.reason ?? reasonSchema.safeParse(c.req.query("reason")).data ?? null,
    before: noted?.before ?? null,
    after: noted?.after ?? null,
    status,
    requestId,
  };
  try {
    await platform.audit.add(entry);
  } catch (error) {
    // Nothing else has it.
    const { before, after, ...its } = entry;
    const states = { before: JSON.stringify(before), after: JSON.stringify(after) };
    logProblem("action-not-recorded", { ...its, ...states });
    throw error;
  }
};
