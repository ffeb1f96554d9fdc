import type { Estimate } from "../../../contracts/metric.ts";
import type { ExtractionBreakdown } from "../breakdown.ts";
import type { ExtractionOptions } from "../options.ts";

/** What the sections of a report are made from. */
export interface ReportFacts {
  metrics: Readonly<Record<string, Estimate>>;
  breakdown: ExtractionBreakdown;
  options: ExtractionOptions;
}
