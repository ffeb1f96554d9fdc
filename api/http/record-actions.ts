import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { reasonSchema } from "#shared/contracts/operator/audit.ts";
import { type Account, localAccount } from "../keys/account.ts";
import type { AuditRecord } from "../operator/schema.ts";
import { logProblem } from "../platform/log.ts";
import { callerOf } from "./require-scope.ts";
import type { AppContext, AppEnv, NotedAction } from "./router.ts";

/**
 * The audit log's entry for the request's action, whoever acts. Required for every change of rights or visibility;
 * never contains secrets. A store writes it in the transaction of the change; otherwise it is written after the request
 * has succeeded.
 */
export function noteAction(c: AppContext, noted: NotedAction, status = 200): AuditRecord {
  const entry = entryOf(c, callerOf(c), noted, status);
  c.set("noted", entry);
  return entry;
}

const entryOf = (c: AppContext, account: Account, noted: NotedAction, status: number) => ({
  at: c.var.platform.now(),
  id: c.var.platform.newId("act"),
  actor: account.person ?? account.owner,
  keyId: account.keyId,
  action: noted.action,
  target: noted.target,
  reason: noted.reason ?? reasonSchema.safeParse(c.req.query("reason")).data ?? null,
  before: noted.before ?? null,
  after: noted.after ?? null,
  status,
  requestId: c.var.requestId,
});

/** Frequent calls of programs, and calls that change nothing. */
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
 * Records every change by an admin, and what a route notes, in the audit log. Refused requests change nothing; after an
 * internal error the action may have been done. Without keys on the user's own machine, only notes are recorded. An
 * entry that a store has written is not written again. If writing fails, the request fails and the entry goes to the
 * process log.
 */
export const recordActions: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { account, noted, platform } = c.var;
  const { status } = c.res;
  const isRefused = status >= 400 && status < 500;
  if (account === null || isRefused) return;
  if (noted === undefined && !isAdminsChange(c, account)) return;
  const done = { action: `${c.req.method} ${routeOf(c)}`, target: c.req.path };
  const entry = noted === undefined ? entryOf(c, account, done, status) : { ...noted, status };
  try {
    await platform.audit.add(entry);
  } catch (error) {
    // Otherwise the entry would be lost.
    const { before, after, ...its } = entry;
    const states = { before: JSON.stringify(before), after: JSON.stringify(after) };
    logProblem("action-not-recorded", { ...its, ...states });
    throw error;
  }
};
