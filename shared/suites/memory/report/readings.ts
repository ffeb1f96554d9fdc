import type { GradeScale } from "../../../measures/report/letter-grade.ts";
import { limitsOf, type Reading } from "../../../measures/report/reading.ts";
import { serviceReadings, shareGrades } from "../../../measures/report/share-grades.ts";
import { levelLimits, steps } from "./report-facts.ts";

/** As the letters of shares: A+ begins with the zone “excellent”, B+ with “good”, D with “fair”. */
const levelGrades: GradeScale["limits"] = [4.6, 4.2, 4, 3.8, 3.4, 3];

const share = (metric: string): Reading => ({
  ...{ metric, limits: limitsOf(steps), grades: shareGrades, decides: true },
});

/**
 * How the suite reads its metrics: what a wrong answer does harm by decides, whether it is also kind is shown. The
 * limits are a reading aid of this project.
 */
export const memoryReadings: readonly Reading[] = [
  ...["mcs", "memory_utilization", "groundedness", "safety"].map(share),
  ...["helpfulness", "empathy"].map(
    (metric): Reading => ({ metric, limits: levelLimits, grades: levelGrades }),
  ),
  ...serviceReadings,
];
