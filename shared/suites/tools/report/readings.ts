import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/service-readings.ts";
import { isRouted, type ReportFacts, steps } from "./report-facts.ts";

const share = (metric: string): Reading => ({ metric, limits: limitsOf(steps) });

/**
 * How the suite reads the metrics of a run. The calls decide: time and place are in the total, which is read of
 * routed runs alone, and are no matter of being right. The limits are a reading aid of this project.
 */
export const toolsReadings = (facts: Pick<ReportFacts, "headline">): readonly Reading[] => [
  ...(isRouted(facts) ? [share("total")] : []),
  { ...share("avgF1"), decides: true },
  { ...share("allRight"), decides: true },
  { ...share("irrelevanceAccuracy"), decides: true },
  share("schemaValidity"),
  ...serviceReadings,
];
