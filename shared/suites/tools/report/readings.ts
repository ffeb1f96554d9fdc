import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/service-readings.ts";
import { steps } from "./report-facts.ts";

const share = (metric: string): Reading => ({ metric, limits: limitsOf(steps) });

/**
 * How the suite reads its metrics. The calls decide: time and place are in the total, and are no matter of being
 * right. The limits are a reading aid of this project.
 */
export const toolsReadings: readonly Reading[] = [
  share("total"),
  { ...share("avgF1"), decides: true },
  { ...share("allRight"), decides: true },
  { ...share("irrelevanceAccuracy"), decides: true },
  share("schemaValidity"),
  ...serviceReadings,
];
