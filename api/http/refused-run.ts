import { endOfDay, type OverQuota, overQuotaDetail } from "../keys/quota.ts";
import type { RunRefusal } from "../runs/access.ts";
import { problem } from "./problem-response.ts";
import type { AppContext } from "./router.ts";

/** The problem for a refused action on a run. */
export function refusedRun(c: AppContext, refusal: RunRefusal) {
  if (refusal.type === "quota-exceeded") return quotaProblem(c, refusal, "this", "wait until then");
  const more = refusal.type === "invalid-request" ? { errors: refusal.errors } : {};
  return problem(c, refusal.type, refusal.detail, more);
}

/** The problem for a daily quota that is too small for what `asker` requests. */
export function quotaProblem(c: AppContext, over: OverQuota, asker: string, advice: string) {
  const now = c.var.platform.now();
  c.header("retry-after", `${Math.ceil((endOfDay(now) - now) / 1000)}`);
  return problem(c, "quota-exceeded", overQuotaDetail(over, asker, advice));
}
