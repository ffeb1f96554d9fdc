import type { GradeScale } from "../../../measures/report/letter-grade.ts";
import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings } from "../../../measures/report/share-grades.ts";
import { partIds } from "../metric-ids.ts";
import { steps } from "./report-facts.ts";

/** As the letters of shares elsewhere: A+ begins with the zone “excellent”, B+ with “good”, D with “fair”. */
const grades: GradeScale["limits"] = [0.85, 0.8, 0.7, 0.65, 0.6, 0.5];

const share = (metric: string): Reading => ({ metric, limits: limitsOf(steps), grades });

/**
 * How the suite reads its metrics: the overall score decides, what it is made of says why. The limits are a
 * reading aid of this project.
 */
export const qualityReadings: readonly Reading[] = [
  { ...share("overall"), decides: true },
  ...partIds.map(share),
  ...serviceReadings,
];
