import type { FieldError, ProblemType } from "#shared/contracts/problem.ts";
import type { Result } from "#shared/contracts/result.ts";
import { endOfDay, type OverQuota, overQuotaDetail } from "../keys/quota.ts";
import { problem } from "./responses.ts";
import type { AppContext } from "./router.ts";

type Refusal =
  | { type: Exclude<ProblemType, "quota-exceeded">; detail: string; errors?: FieldError[] }
  | ({ type: "quota-exceeded" } & OverQuota);

/** Ends a route with a problem, which the app sends. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.type);
    this.refusal = refusal;
  }
}

/** The value of a result; an error ends the route with its problem. */
export function accepted<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw new Refused(result.error);
}

export function refusalProblem(c: AppContext, refusal: Refusal) {
  if (refusal.type === "quota-exceeded") return quotaProblem(c, refusal, "this", "wait until then");
  const { type, detail, ...more } = refusal;
  return problem(c, type, detail, more);
}

/** The problem for a daily quota that is too small for what `asker` requests. */
export function quotaProblem(c: AppContext, over: OverQuota, asker: string, advice: string) {
  const now = c.var.platform.now();
  c.header("retry-after", `${Math.ceil((endOfDay(now) - now) / 1000)}`);
  return problem(c, "quota-exceeded", overQuotaDetail(over, asker, advice));
}
