import type { Estimate } from "../../../contracts/metric.ts";
import type { ReportedRun } from "../../../contracts/suite.ts";
import type { ExtractionOptions } from "../options.ts";
import type { ExtractionBreakdown } from "../sum/breakdown/breakdown.ts";

/** What the sections of a report are made from. */
export interface ReportFacts extends ReportedRun<ExtractionOptions> {
  metrics: Readonly<Record<string, Estimate>>;
  breakdown: ExtractionBreakdown;
}
