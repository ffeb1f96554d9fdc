import type { SuiteFacts } from "../../../measures/report/run/suite-report.ts";
import type { RubricOptions } from "../options.ts";
import type { RubricBreakdown } from "../sum/breakdown.ts";

/** Input of the sections of a report. */
export type ReportFacts = SuiteFacts<RubricOptions, RubricBreakdown>;

/**
 * The label of a run's criterion by id; the id itself if it is unknown.
 * @example labelIn(facts)("correct") // "Correct"
 */
export const labelIn =
  ({ breakdown: { criteria } }: Pick<ReportFacts, "breakdown">) =>
  (metric: string): string =>
    criteria.find((row) => row.metric === metric)?.label ?? metric;
