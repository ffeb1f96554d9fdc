import type { RunRefusal } from "../runs/run-refusal.ts";
import { problem } from "./problem-response.ts";
import { quotaProblem } from "./quota-problem.ts";
import type { AppContext } from "./router.ts";

/** Answers that an action on a run was refused. */
export function refusedRun(c: AppContext, refusal: RunRefusal) {
  if (refusal.type === "quota-exceeded") return quotaProblem(c, refusal, "this", "wait until then");
  const more = refusal.type === "invalid-request" ? { errors: refusal.errors } : {};
  return problem(c, refusal.type, refusal.detail, more);
}
