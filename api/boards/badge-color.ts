import type { Metric } from "#shared/contracts/metric.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { type Tier, tierOf } from "#shared/measures/report/figures/tier.ts";

/** Of a badge that says nothing about how good a model is. */
export const noColor = "lightgrey";

/** Of a value that nobody has said is good or bad. */
const unjudged = "blue";

/** Colours of shares by value, best first. */
const bands: readonly [number, string][] = [
  [0.9, "brightgreen"],
  [0.75, "green"],
  [0.6, "yellow"],
];
const lowest = "red";

const tierColors: Readonly<Record<Tier, string>> = {
  excellence: "brightgreen",
  target: "green",
  minimum: "yellow",
  fails: lowest,
};

/**
 * The colour of a metric's value: by the suite's own limits, else by bands where it is a share of which
 * more is better, else one that judges nothing, as for a suite that describes answers and rates none.
 */
export function badgeColor(
  suite: Pick<Suite, "thresholds" | "isDescriptive"> | undefined,
  metric: Pick<Metric, "id" | "unit" | "better"> | undefined,
  value: number,
): string {
  const limits = suite?.thresholds?.find((its) => its.metric === metric?.id);
  const tier = limits && tierOf(limits, value);
  if (tier) return tierColors[tier];
  if (suite?.isDescriptive) return unjudged;
  if (metric?.unit !== "ratio" || metric.better !== "higher") return unjudged;
  return bands.find(([from]) => value >= from)?.[1] ?? lowest;
}
