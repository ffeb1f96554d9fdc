import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/service-readings.ts";
import { steps } from "./report-facts.ts";

const share = (metric: string): Reading => ({ metric, limits: limitsOf(steps) });

/**
 * How the suite reads its metrics: whether slots are stored, and with which values. The limits are a reading aid
 * of this project.
 */
export const slotsReadings: readonly Reading[] = [
  ...["f1", "precision", "recall", "valueF1"].map(
    (metric): Reading => ({ ...share(metric), decides: true }),
  ),
  share("tokenF1"),
  ...serviceReadings,
];
