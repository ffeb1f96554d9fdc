import type { MetricComparison } from "../../contracts/boards/comparison.ts";
import type { Interval } from "../../stats/bootstrap/bootstrap.ts";
import { wilsonInterval } from "../../stats/significance/wilson-interval.ts";

/**
 * The 95% interval of a win rate, within 0–1: Wilson's of a share of samples. Ties count half and vary less than wins
 * and losses do, so that it is at least as wide as it need be. Null below two samples, and where samples share
 * sources: a share of them is no share of things that are independent.
 * @example winInterval(0.7, { samples: 40, units: { kind: "samples", count: 40 } }) // [0.546, 0.819]
 */
export function winInterval(
  winRate: number,
  { samples, units }: Pick<MetricComparison, "samples" | "units">,
): Interval | null {
  if (units.kind !== "samples" || samples < 2) return null;
  return wilsonInterval(winRate * samples, samples);
}
