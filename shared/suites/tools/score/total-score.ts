import type { Composite } from "../../../contracts/suite.ts";
import { type Level, levels } from "../sample.ts";

/** Weights of levels in the total. Source: docs/spec/tools.md, metrics. */
export const levelWeights: Readonly<Record<Level, number>> = { easy: 0.2, medium: 0.3, hard: 0.5 };

/** The means of a level's samples. */
export interface LevelMeans {
  /** 0–1. */
  f1: number;
  /** Latency / baseline; null if it was not measured. */
  slowness: number | null;
  /** Share of samples answered on the device, 0–1. */
  onDevice: number;
}

/**
 * max(0, 1 − mean latency / baseline), 0–1; 0 if no latency is known.
 * Source: docs/spec/tools.md, metrics.
 * @example timeScore(0.5) // 0.5
 */
export function timeScore(slowness: number | null): number {
  return slowness === null ? 0 : Math.max(0, 1 - slowness);
}

/**
 * 0.60 · F1 + 0.15 · time score + 0.25 · on-device ratio, 0–1.
 * Source: docs/spec/tools.md, metrics.
 * @example levelScore({ f1: 1, slowness: 0, onDevice: 1 }) // 1
 */
export function levelScore({ f1, slowness, onDevice }: LevelMeans): number {
  return 0.6 * f1 + 0.15 * timeScore(slowness) + 0.25 * onDevice;
}

/**
 * 0.20 · easy + 0.30 · medium + 0.50 · hard of the level scores, 0–1; the weights of levels without samples (null)
 * are distributed to the others in proportion. Null without samples.
 * Source: docs/spec/tools.md, metrics.
 * @example totalScore({ easy: { f1: 1, slowness: 0, onDevice: 1 }, medium: null, hard: null }) // 1
 */
export function totalScore(means: Readonly<Record<Level, LevelMeans | null>>): number | null {
  let sum = 0;
  let weight = 0;
  for (const level of levels) {
    const its = means[level];
    if (its === null) continue;
    sum += levelWeights[level] * levelScore(its);
    weight += levelWeights[level];
  }
  return weight === 0 ? null : sum / weight;
}

/** Ids of the parts of the total in samples, by level; no metric has such an id. */
const totalParts = levels.flatMap((level) => [
  `${level}.f1`,
  `${level}.slowness`,
  `${level}.onDevice`,
]);

/** The total over samples from the means of its parts. */
export const totalComposite: Composite = {
  parts: totalParts,
  value(values) {
    const means = levels.map((level, i) => {
      const [f1, slowness, onDevice] = values.slice(3 * i, 3 * i + 3);
      if (f1 === null || f1 === undefined) return [level, null] as const;
      return [level, { f1, slowness: slowness ?? null, onDevice: onDevice ?? 0 }] as const;
    });
    return totalScore(Object.fromEntries(means) as Record<Level, LevelMeans | null>);
  },
};
