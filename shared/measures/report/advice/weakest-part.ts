import { fewestSamples } from "../figures/part-interval.ts";
import type { ComparedFigure, PartCell } from "../parts/strength-blocks.ts";
import type { Advice } from "./advice.ts";

/**
 * The lowest of the parts that are clearly below the whole run (at least 20 samples, 95% interval below the run's
 * value); null if there is none. More is better. Linear.
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

/**
 * Advice on the weakest part; null if no part is clearly below the whole run.
 * @example weakestAdvice(compared, ({ label }, whole) => ({ cell: `F1, ${label}`, … }))
 */
export function weakestAdvice<Cell extends PartCell>(
  { cells, value: whole }: { cells: readonly Cell[] } & Pick<ComparedFigure, "value">,
  say: (part: Cell & { value: number }, whole: number) => Omit<Advice, "value" | "interval" | "n">,
): Advice | null {
  const worst = weakestPart(cells, whole);
  if (worst === null || whole === null) return null;
  const { value, interval, n } = worst;
  return { ...say(worst, whole), value, interval: [...interval], n };
}
