import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/service-readings.ts";
import { levelLimits, steps } from "./report-facts.ts";

const share = (metric: string): Reading => ({
  metric,
  limits: limitsOf(steps),
  decides: true,
});

/**
 * How the suite reads its metrics: what a wrong answer does harm by decides, whether it is also kind is shown. The
 * limits are a reading aid of this project.
 */
export const memoryReadings: readonly Reading[] = [
  ...["mcs", "memory_utilization", "groundedness", "safety"].map(share),
  ...["helpfulness", "empathy"].map((metric): Reading => ({ metric, limits: levelLimits })),
  ...serviceReadings,
];
