import type { Reference } from "../../../contracts/suite.ts";
import { partIds } from "../metric-ids.ts";
import { defaultOptions, type QualityOptions } from "../options.ts";
import { canaries } from "./canaries.ts";
import { canaryScores } from "./canary-scores.ts";

/**
 * What the canaries earn on the stock prompts by these weights, 0–1, the highest first. Their intervals are known
 * for the default weights. None for another length ratio, by which they were not scored. Constant time.
 * Source: docs/spec/quality.md, what it is not.
 * @example references(defaultOptions)[0]?.label // "Connector salad"
 */
export function references({ weights, lengthRatio }: QualityOptions): Reference[] {
  if (lengthRatio !== defaultOptions.lengthRatio) return [];
  const isDefault = partIds.every((id) => weights[id] === defaultOptions.weights[id]);
  return canaries
    .map(({ id, label, description }): Reference => {
      const { interval, overall, ...parts } = canaryScores[id]!;
      const value = isDefault
        ? overall
        : partIds.reduce((sum, part) => sum + weights[part] * parts[part], 0);
      return { id, label, description, value, interval: isDefault ? interval : null };
    })
    .sort((a, b) => b.value - a.value);
}
