import type { Reading } from "./reading.ts";

/**
 * What every suite says of an endpoint rather than of answers: how long it takes, and how often it fails.
 * Source: docs/spec/extraction.md, section 6.
 */
export const serviceReadings: readonly Reading[] = [
  { metric: "latencyP95", limits: { minimum: 5000, target: 2000, excellence: 1000 } },
  { metric: "successRate", limits: { minimum: 0.99, target: 0.995, excellence: 0.999 } },
];
