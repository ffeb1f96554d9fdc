import { err } from "../../../contracts/result.ts";
import type { ToolsSample } from "../sample.ts";

/** Why a case of BFCL can't be a sample, with what that means. */
export const bfclReasons = {
  relevance: "a call is right, but BFCL does not say which",
  severalTurns: "several turns with calls of their own are no single answer",
  otherWorld: "its functions act on a simulated world that is kept in other files",
  noFunctions: "no function is offered, so nothing could be called",
  otherLanguage: "its values are source text of Java or JavaScript, no JSON",
  noAnswer: "it has no accepted answer; give the file of possible answers",
  noAcceptedValue: "an argument has no accepted value, so no call is right",
  malformed: "it is not laid out as BFCL does",
} as const;
export type BfclReason = keyof typeof bfclReasons;

/** What is tolerated in a case, with what that means. */
export const bfclWarnings = {
  manyTools: "more than 5 tools, and so harder than its level says",
  doubtfulCall: "an expected value is none that the function takes by its own schema",
  emptyList: "no value is accepted where an array is wanted: read as an empty array, or none",
} as const;
export type BfclWarning = keyof typeof bfclWarnings;

/** A case that became a sample. */
export interface BfclCase {
  sample: ToolsSample;
  /** Names that OpenAI would refuse, and what they became. */
  renamed: { from: string; to: string }[];
  warnings: BfclWarning[];
}

/** A case that can't be a sample. */
export interface BfclSkip {
  reason: BfclReason;
  /** Where there is more to say than the reason. */
  detail: string | null;
}

/**
 * A case that is left out, as a failed result.
 * @example skipped("relevance") // { ok: false, error: { reason: "relevance", detail: null } }
 */
export function skipped(reason: BfclReason, detail: string | null = null) {
  return err<BfclSkip>({ reason, detail });
}
