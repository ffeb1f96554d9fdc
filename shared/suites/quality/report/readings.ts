import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/service-readings.ts";
import { partIds } from "../metric-ids.ts";
import { steps } from "./report-facts.ts";

const share = (metric: string): Reading => ({ metric, limits: limitsOf(steps) });

/**
 * How the suite reads its metrics: the overall score decides, what it is made of says why. The limits are a
 * reading aid of this project.
 */
export const qualityReadings: readonly Reading[] = [
  { ...share("overall"), decides: true },
  ...partIds.map(share),
  ...serviceReadings,
];
