import type { JudgeModel } from "../contracts/judging/judge-model.ts";

const DAY_MS = 86_400_000;

/** Days before its end from which a judge needs a successor. */
const NOTICE_DAYS = 60;

/**
 * Why a judge needs a successor: it has ended, is no longer listed, or ends within 60 days; null if it does not.
 * `now`: Unix ms. The text is the same each day, so that pages need not be built again.
 * @example endWarning({ provider: "openai", model: "m", ends: "2027-01-06", … }, Date.parse("2026-12-01"))
 */
export function endWarning(
  {
    provider,
    model,
    ends,
    replacement,
    listed,
  }: Pick<JudgeModel, "provider" | "model" | "ends" | "replacement" | "listed">,
  now: number,
): string | null {
  const successor = replacement === null ? "" : `; ${provider} names ${replacement} in its place`;
  const leftMs = ends === null ? null : Date.parse(ends) - now;
  if (leftMs !== null && leftMs <= 0) return `Judge ${model} ended on ${ends}${successor}.`;
  if (listed === false) {
    return `Judge ${model} is not in the list of models of ${provider}${successor}.`;
  }
  if (leftMs === null || leftMs > NOTICE_DAYS * DAY_MS) return null;
  return `Judge ${model} ends on ${ends}${successor}.`;
}
