import { counted } from "../../../contracts/text/counted.ts";
import type { Column } from "../../../measures/report/charts/blocks.ts";
import { invalidKinds } from "../score/lost-output.ts";
import type { CellFigures, GroupFigures } from "../sum/breakdown/breakdown-parts.ts";
import type { ReportFacts } from "./report-facts.ts";

type Lost = ReportFacts["breakdown"]["errorAnalysis"]["lost"];

/** Expected fields without a value, and how many of them are due to an invalid output or a failed request. */
export type MissedFields = Pick<CellFigures, "missed" | LostId>;

/**
 * The missed fields of a part of a run whose outputs were valid.
 * @example missedFields({ missed: 5, invalidOutput: 2, failedRequest: 0 }) // 3
 */
export const missedFields = ({ missed, invalidOutput, failedRequest }: MissedFields): number =>
  missed - invalidOutput - failedRequest;

/**
 * Answers without any counted field, and their expected fields; all 0 for a run that finished before they were
 * counted separately.
 * @example lostTotals(breakdown.errorAnalysis.lost).invalidOutput.answers
 */
export function lostTotals(lost: Lost): Record<LostId, LostTotal> {
  const invalid = invalidKinds.map((kind) => lost?.[kind] ?? none);
  return {
    invalidOutput: {
      answers: invalid.reduce((sum, { answers }) => sum + answers, 0),
      fields: invalid.reduce((sum, { fields }) => sum + fields, 0),
    },
    failedRequest: lost?.failedRequest ?? none,
  };
}

interface LostTotal {
  answers: number;
  fields: number;
}

const none: LostTotal = { answers: 0, fields: 0 };

/** Label and colour of fields lost for each reason. */
export const lostLabels = {
  invalidOutput: { label: "Invalid output", tone: "unreadable" },
  failedRequest: { label: "Failed request", tone: "failed" },
} as const;

/** Verdict on fields lost for each reason, in the suite's field table. */
export const lostVerdicts = {
  invalidOutput: "invalid_output",
  failedRequest: "failed_request",
} as const;

/** Why all fields of an answer are missed. */
export const lostIds = ["invalidOutput", "failedRequest"] as const;
type LostId = (typeof lostIds)[number];

/**
 * The reasons that occur in a run, so that tables have columns only for these.
 * @example lostKindsPresent(breakdown.errorAnalysis.lost) // ["invalidOutput"]
 */
export function lostKindsPresent(lost: Lost): LostId[] {
  const totals = lostTotals(lost);
  return lostIds.filter((id) => totals[id].fields > 0);
}

/**
 * The number of answers without counted fields, in words; empty if there are none.
 * @example lostText(breakdown.errorAnalysis.lost) // "2 invalid outputs and 1 failed request"
 */
export function lostText(lost: Lost): string {
  const totals = lostTotals(lost);
  return lostIds
    .filter((id) => totals[id].answers > 0)
    .map((id) => counted(totals[id].answers, lostLabels[id].label.toLowerCase()))
    .join(" and ");
}

/**
 * Table columns for missed fields and for fields lost for the present reasons.
 * @example missedColumns(["invalidOutput"])[1]?.[1] // "Invalid output"
 */
export const missedColumns = (present: readonly LostId[]): Column<MissedFields>[] => [
  ["missed", "Missed", "count", missedFields],
  ...present.map((id): Column<MissedFields> => [id, lostLabels[id].label, "count"]),
];

/**
 * An error pattern's id in words.
 * @example patternText("wrong_type") // "wrong type"
 */
export function patternText(pattern: string): string {
  return pattern.replaceAll("_", " ");
}

/**
 * The most frequent error of a group, of all wrong fields in valid or invalid outputs: with its count, and the
 * pattern's name if its outputs were valid; null without errors.
 * @example mostFrequentError({ patterns: { wrong_type: 3 } })?.text // "wrong type (3)"
 */
export function mostFrequentError({
  patterns,
  lost,
}: Pick<GroupFigures, "patterns" | "lost">): { text: string; pattern: string | null } | null {
  const totals = lostTotals(lost);
  const nameOf = (id: LostId) => lostLabels[id].label.toLowerCase();
  const [first] = [
    ...Object.entries(patterns).map(([id, count]) => [patternText(id), count, true] as const),
    ...lostIds.map((id) => [nameOf(id), totals[id].fields, false] as const),
  ].sort(([, a], [, b]) => b - a);
  if (first === undefined || first[1] === 0) return null;
  return { text: `${first[0]} (${first[1]})`, pattern: first[2] ? first[0] : null };
}
