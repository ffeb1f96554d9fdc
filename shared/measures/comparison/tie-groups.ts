import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";
/**
 * Groups models that are not significantly different. Group 1 is the first model and all that do not differ from it,
 * group 2 the first of the rest and all of the rest that do not differ from it, and so on. `ranked` lists models best
 * first; `differ` says whether two of them differ significantly. A model may be in an earlier group than one ranked
 * above it, because their sample sizes and variances differ. O(models²).
 * @example tieGroups([0, 1, 2], (a, b) => b === 2) // [1, 1, 2]
 */
export function tieGroups(
  ranked: readonly number[],
  differ: (a: number, b: number) => boolean,
): number[] {
  const groups: number[] = [];
  let rest = [...ranked];
  for (let group = 1; rest.length > 0; group++) {
    const head = rest[0]!;
    const tied = new Set(rest.filter((model) => model === head || !differ(head, model)));
    for (const model of tied) groups[model] = group;
    rest = rest.filter((model) => !tied.has(model));
  }
  return groups;
}

/** Significance level of a corrected p. */
const SIGNIFICANT = 0.05;

/**
 * The smallest of 0.01 and 0.05 that is above a corrected p; null if neither is, and without a test.
 * Source: docs/spec/statistics.md, many models.
 * @example levelOf(0.02) // 0.05
 */
export function levelOf(p: number | null): 0.01 | 0.05 | null {
  if (p === null || p >= SIGNIFICANT) return null;
  return p < 0.01 ? 0.01 : 0.05;
}

/**
 * The 95% interval of a win rate, within 0–1: Wilson's interval of a share of samples. Ties count half and vary less
 * than wins and losses, so it is at least as wide as necessary. Null for fewer than two samples, and if samples share
 * sources, because then they are not independent.
 * @example winInterval(0.7, { samples: 40, units: { kind: "samples", count: 40 } }) // [0.546, 0.819]
 */
export function winInterval(
  winRate: number,
  { samples, units }: Pick<MetricComparison, "samples" | "units">,
): Interval | null {
  if (units.kind !== "samples" || samples < 2) return null;
  return wilsonInterval(winRate * samples, samples);
}
