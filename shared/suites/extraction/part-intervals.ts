import { bootstrap, type Interval, partResamples } from "../../stats/bootstrap.ts";
import { ratiosOf } from "../../stats/statistics.ts";
import { sumFigures } from "../../stats/sum-figures.ts";
import type { FieldCell } from "./field-cell.ts";

/**
 * 95% bootstrap intervals of partial F1 of cells, 2 · correct / (expected + predicted), in the order
 * given: all from the same 2,000 resamples of up to 128 random groups of samples, so they cost the same
 * for any number of samples. `parts` are the groups that hold any sample.
 * Source: docs/spec/extraction.md, section 7; docs/spec/statistics.md, bootstrap interval.
 * @example partIntervals([cell], [3, 17, 90], "run-1")[0] // [low, high]
 */
export function partIntervals(
  cells: readonly FieldCell[],
  parts: readonly number[],
  seed: string,
): (Interval | null)[] {
  const byPart = (sums: Readonly<Record<number, number>>) =>
    Float64Array.from(parts, (part) => sums[part] ?? 0);
  const columns = cells.flatMap(({ halves, sides }) => [byPart(halves), byPart(sides)]);
  const partialF1s = ratiosOf(cells.map((_, k) => [2 * k, 2 * k + 1] as const));
  return bootstrap(parts.length, seed, [sumFigures(columns, partialF1s)], {
    resamples: partResamples,
  });
}
