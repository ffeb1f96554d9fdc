import type { SampleScore } from "../../../contracts/suite.ts";
import type { ExtractionDetail } from "./score.ts";
import { addTally, emptyTally } from "./tally.ts";

/** Why an output is invalid. */
export const invalidKinds = ["notJson", "offSchema", "refused", "empty"] as const;
type InvalidKind = (typeof invalidKinds)[number];

/** Why an answer has no counted fields: its output is invalid, or its request failed. */
export type LostOutput = InvalidKind | "failedRequest";

/** Answers without any counted field, and their expected fields. */
export type LostOutputs = ReturnType<typeof noLostOutputs>;

/**
 * Why an answer has no counted fields; null for a valid output.
 * Source: docs/spec/extraction.md, section 5, invalid output.
 * @example lostOutput(score) // "offSchema"
 */
export function lostOutput({
  covered,
  detail,
}: Pick<SampleScore<ExtractionDetail>, "covered" | "detail">): LostOutput | null {
  const { valid, status, parse } = detail;
  if (valid) return null;
  if (!covered || status === "error") return "failedRequest";
  if (status !== "answered") return status;
  return parse === "failed" ? "notJson" : "offSchema";
}

/**
 * No answers yet.
 * @example noLostOutputs().salvage.answers // 0
 */
export function noLostOutputs() {
  const none = () => ({ answers: 0, fields: 0 });
  return {
    byKind: {
      notJson: none(),
      offSchema: none(),
      refused: none(),
      empty: none(),
      failedRequest: none(),
    },
    /** JSON outputs that are not valid against the schema, counted as if they were valid. */
    salvage: { answers: 0, fields: emptyTally() },
  };
}

/**
 * Adds an answer without any counted field.
 * Source: docs/spec/extraction.md, section 5, invalid output.
 * @example countLost(outputs, "offSchema", detail)
 */
export function countLost(
  { byKind, salvage }: LostOutputs,
  lost: LostOutput,
  detail: ExtractionDetail,
): void {
  byKind[lost].answers++;
  byKind[lost].fields += detail.missed;
  if (detail.salvage === undefined) return;
  salvage.answers++;
  addTally(salvage.fields, detail.salvage);
}
