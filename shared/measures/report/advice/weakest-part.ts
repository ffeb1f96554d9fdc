import { fewestSamples } from "../figures/part-interval.ts";
import type { PartCell } from "../parts/strength-blocks.ts";

/**
 * Of the parts that clearly lie below the whole run (20 samples or more, 95% interval below its value) the one
 * that lies lowest; null where there is none. More is better. Linear.
 * Source: docs/spec/statistics.md, strengths and weaknesses.
 * @example weakestPart([{ label: "law", value: 0.4, interval: [0.3, 0.5], n: 40 }], 0.8)?.label // "law"
 */
export function weakestPart<Cell extends PartCell>(
  cells: readonly Cell[],
  whole: number | null,
): (Cell & { value: number; interval: readonly [number, number] }) | null {
  if (whole === null) return null;
  const below = cells.filter(
    (cell): cell is Cell & { value: number; interval: readonly [number, number] } =>
      cell.n >= fewestSamples &&
      cell.value !== null &&
      cell.interval !== null &&
      cell.interval[1] < whole,
  );
  return below.reduce<(typeof below)[number] | null>(
    (least, cell) => (least === null || cell.value < least.value ? cell : least),
    null,
  );
}
