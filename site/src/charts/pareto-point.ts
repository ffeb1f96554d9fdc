import type { Estimate } from "#shared/contracts/metric.ts";

/** A model's score and what its answers take. */
export interface ParetoPoint {
  label: string;
  x: number;
  y: number;
  interval: Estimate["interval"];
  isFrontier: boolean;
}
