import type { RunRefusal } from "../pipeline/runs/run-refusal.ts";
import type { AppContext } from "./api-app.ts";
import { problem } from "./problem-response.ts";
import { quotaProblem } from "./quota-problem.ts";

/** Answers that an action on a run was refused. */
export function refusedRun(c: AppContext, refusal: RunRefusal) {
  if (refusal.type === "quota-exceeded") return quotaProblem(c, refusal, "this", "wait until then");
  const more = refusal.type === "invalid-request" ? { errors: refusal.errors } : {};
  return problem(c, refusal.type, refusal.detail, more);
}
