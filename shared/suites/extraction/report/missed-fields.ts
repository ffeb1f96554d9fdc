import { invalidKinds } from "../score/lost-output.ts";
import type { CellFigures } from "../sum/breakdown/breakdown-parts.ts";
import type { ReportFacts } from "./report-facts.ts";

type Lost = ReportFacts["breakdown"]["errorAnalysis"]["lost"];

/** Expected fields that nothing came for: in valid outputs, in invalid ones, and where requests failed. */
interface MissedFields {
  missed: number;
  invalidOutput: number;
  failedRequest: number;
}

/**
 * The missed fields of a part of a run, by whether its outputs were valid, invalid or not there.
 * @example missedFields(breakdown.fields.byType[0]).missed // of valid outputs
 */
export function missedFields({
  missed,
  invalidOutput,
  failedRequest,
}: Pick<CellFigures, keyof MissedFields>): MissedFields {
  return { missed: missed - invalidOutput - failedRequest, invalidOutput, failedRequest };
}

/**
 * Answers of which no field counts, and their expected fields; all 0 for a run that was finished before they
 * were counted separately.
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

/** What each is called, and the colour it has, wherever fields are counted. */
export const lostLabels = {
  invalidOutput: { label: "Invalid output", tone: "unreadable" },
  failedRequest: { label: "Failed request", tone: "failed" },
} as const;

/** Why all fields of an answer are missed. */
export const lostIds = ["invalidOutput", "failedRequest"] as const;
type LostId = (typeof lostIds)[number];

/**
 * Which of the two a run has at all, so that tables have a column only for these.
 * @example lostKindsPresent(breakdown.errorAnalysis.lost) // ["invalidOutput"]
 */
export function lostKindsPresent(lost: Lost): LostId[] {
  const totals = lostTotals(lost);
  return lostIds.filter((id) => totals[id].fields > 0);
}

/**
 * How many answers have no field that counts, in words; empty where there are none.
 * @example lostText(breakdown.errorAnalysis.lost) // "2 invalid outputs and 1 failed request"
 */
export function lostText(lost: Lost): string {
  const totals = lostTotals(lost);
  return lostIds
    .filter((id) => totals[id].answers > 0)
    .map((id) => countText(totals[id].answers, lostLabels[id].label.toLowerCase()))
    .join(" and ");
}

/**
 * A number of things.
 * @example countText(2, "field") // "2 fields"
 */
export const countText = (count: number, thing: string): string =>
  `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;

/**
 * Columns of missed fields in a table, with those of the others that the run has.
 * @example missedColumns(["invalidOutput"])[1]?.[1] // "Invalid output"
 */
export function missedColumns(present: readonly LostId[]): [string, string, "count"][] {
  return [
    ["missed", "Missed", "count"],
    ...present.map((id): [string, string, "count"] => [id, lostLabels[id].label, "count"]),
  ];
}

/**
 * The cells of `missedColumns`.
 * @example missedCells(cell, []) // { missed: 3 }
 */
export function missedCells(
  cell: Parameters<typeof missedFields>[0],
  present: readonly LostId[],
): Record<string, number> {
  const counts = missedFields(cell);
  return Object.fromEntries(["missed" as const, ...present].map((id) => [id, counts[id]]));
}

/**
 * An error pattern's id in words.
 * @example patternText("wrong_type") // "wrong type"
 */
export function patternText(pattern: string): string {
  return pattern.replaceAll("_", " ");
}
