import { bootstrap, type Interval } from "../../stats/bootstrap.ts";
import { type Statistic, sumFigures } from "../../stats/sum-figures.ts";
import { columnValues, headlineColumns } from "./columns.ts";
import type { FieldCell } from "./field-cell.ts";
import { groupFigureIds, headlineFigures } from "./figures.ts";
import type { GroupSums } from "./groups.ts";

/** Resamples for parts of a run: an interval's ends then move by some fortieth of its width. */
export const partResamples = 2_000;

/** Intervals of parts of a run, in the order given. */
export interface PartIntervals {
  /** Of partial F1. */
  cells: (Interval | null)[];
  /** In the order of `groupFigureIds`. */
  groups: (Interval | null)[][];
}

/**
 * 95% bootstrap intervals of parts of a run, all from the same 2,000 resamples of up to 128 random
 * groups of samples: so they cost the same for any number of samples. `parts` are the groups that hold
 * any sample. Partial F1 of a cell is 2 · correct / (expected + predicted).
 * Source: specification of the extraction suite, sections 6 and 7; of statistics, bootstrap interval.
 * @example partIntervals([cell], [], [3, 17, 90], "run-1").cells[0] // [low, high]
 */
export function partIntervals(
  cells: readonly FieldCell[],
  groups: readonly GroupSums[],
  parts: readonly number[],
  seed: string,
): PartIntervals {
  const byPart = (sums: Readonly<Record<number, number>>) =>
    Float64Array.from(parts, (part) => sums[part] ?? 0);
  const cellColumns = cells.flatMap(({ halves, sides }) => [byPart(halves), byPart(sides)]);
  const intervals = bootstrap(
    parts.length,
    seed,
    [
      sumFigures(
        cellColumns,
        cells.map(
          (_, k) => (sums) => (sums[2 * k + 1] === 0 ? null : sums[2 * k]! / sums[2 * k + 1]!),
        ),
      ),
      ...groups.map((group) => sumFigures(groupColumns(group, parts), groupStatistics)),
    ],
    partResamples,
  );
  const width = groupFigureIds.length;
  return {
    cells: intervals.slice(0, cells.length),
    groups: groups.map((_, g) => intervals.slice(cells.length + g * width).slice(0, width)),
  };
}

const groupStatistics: readonly Statistic[] = groupFigureIds.map((id) => headlineFigures[id]!);

/** Columns that no figure of a group is worked out from; constant ones are not summed. */
const unused: ReadonlySet<string> = new Set([
  ...["covered", "parseFailed", "schemaFailed", "typeCorrect", "spurious"],
]);

function groupColumns({ columns }: GroupSums, parts: readonly number[]): Float64Array[] {
  const values = parts.map((part) => (columns[part] ? columnValues(columns[part]) : null));
  return headlineColumns.map((name, k) =>
    Float64Array.from(values, (sums) => (unused.has(name) ? 0 : (sums?.[k] ?? 0))),
  );
}
