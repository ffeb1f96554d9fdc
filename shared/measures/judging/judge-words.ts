import type { UnjudgedReason } from "../../contracts/judging/judgment.ts";

/**
 * A judge's name as reports have it.
 * @example judgeName(null) // "not said"
 */
export const judgeName = (judge: string | null): string => judge ?? "not said";

/** Why something has no value, as reports say it. */
export const whyUnjudged: Readonly<Record<UnjudgedReason, string>> = {
  no_answer: "No answer",
  no_judge: "No judge with a key",
  judge_failed: "Calls to the judge failed",
  judge_refused: "The judge refused",
  invalid_judgment: "The judge's replies were no judgment",
  not_given: "No judgment was given",
};
