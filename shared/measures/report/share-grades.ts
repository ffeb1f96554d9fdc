import type { GradeScale } from "./letter-grade.ts";
import type { Reading } from "./reading.ts";

/**
 * Letters of a share that is the better the higher: those of partial F1, which suites without a scale of their
 * own take over. A+ begins with the zone “excellent” of their gauges, B+ with “good”, D with “fair”.
 * Source: specification of the extraction suite, section 6.
 */
export const shareGrades: GradeScale["limits"] = [0.9, 0.8, 0.75, 0.7, 0.6, 0.5];

/** Letters of a p95 latency in ms. Source: specification of the extraction suite, section 6. */
export const latencyGrades: GradeScale["limits"] = [1000, 2000, 3000, 5000, 8000, 15_000];

/**
 * What every suite says of an endpoint rather than of answers: how long it takes, and how often it fails.
 * Source: specification of the extraction suite, section 6.
 */
export const serviceReadings: readonly Reading[] = [
  {
    ...{ metric: "latencyP95", grades: latencyGrades },
    limits: { minimum: 5000, target: 2000, excellence: 1000 },
  },
  {
    ...{ metric: "successRate", grades: null },
    limits: { minimum: 0.99, target: 0.995, excellence: 0.999 },
  },
];
