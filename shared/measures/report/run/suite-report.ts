import type { Estimates } from "../../../contracts/metric.ts";
import type { ReportSection } from "../../../contracts/report.ts";
import type { ReportedRun, Summary } from "../../../contracts/suite.ts";
import { blocksOf, type SectionParts } from "../charts/blocks.ts";

/** Input of a suite's report sections. */
export interface SuiteFacts<Options, Breakdown> extends ReportedRun<Options> {
  metrics: Estimates;
  breakdown: Breakdown;
}

/**
 * A suite's report: sections made from the facts of a run. Empty sections are omitted.
 * @example suiteReport(breakdownSchema, [summarySection])(summary, run)[0]?.id // "summary"
 */
export const suiteReport =
  <Options, Breakdown>(
    schema: { parse(breakdown: unknown): Breakdown },
    sections: readonly ((facts: SuiteFacts<Options, Breakdown>) => SectionParts | null)[],
  ) =>
  ({ metrics, breakdown }: Summary, run: ReportedRun<Options>): ReportSection[] => {
    const facts = { ...run, metrics, breakdown: schema.parse(breakdown) };
    return sections
      .flatMap((section) => section(facts) ?? [])
      .map(({ blocks, ...section }) => ({ ...section, blocks: blocksOf(blocks) }))
      .filter(({ blocks }) => blocks.length > 0);
  };
