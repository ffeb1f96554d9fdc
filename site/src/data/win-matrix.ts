import type { Comparison, MetricComparison } from "#shared/contracts/comparison.ts";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";

type Pair = MetricComparison["pairs"][number];

/** How often one model beats another, and whether they differ. */
export interface WinCell {
  /** Share of the common samples on which the row's model is better, ties half. */
  rate: number;
  significantAt: Pair["significantAt"];
}

/** Win rates of models over one another, in the order of the board. */
export interface WinMatrix {
  models: readonly LeaderboardEntry[];
  /** By row and column; null where a model meets itself, or the comparison lacks the pair. */
  cells: readonly (readonly (WinCell | null)[])[];
  samples: number;
}

/** The comparison of a board's headline; null where there is none. */
const headlineOf = (comparison: Comparison | null, headline: string): MetricComparison | null =>
  comparison?.metrics.find(({ metric }) => metric === headline) ?? null;

/** A pair from the side of `row`. */
function cellOf({ better, pairs }: MetricComparison, row: string, column: string): WinCell | null {
  const pair = pairs.find(({ a, b }) => (a === row && b === column) || (a === column && b === row));
  if (pair === undefined) return null;
  const isFirst = pair.a === row;
  const isHigherBetter = better === "higher";
  return {
    rate: isFirst === isHigherBetter ? pair.winRate : 1 - pair.winRate,
    significantAt: pair.significantAt,
  };
}

/** The win rates of a board's models by its headline; null without a comparison of two of them. */
export function winMatrix(
  comparison: Comparison | null,
  headline: string,
  entries: readonly LeaderboardEntry[],
): WinMatrix | null {
  const compared = headlineOf(comparison, headline);
  if (compared === null) return null;
  const known = new Set(compared.standings.map(({ run }) => run));
  const models = entries.filter(({ rank, run }) => rank !== null && known.has(run));
  if (models.length < 2) return null;
  const cells = models.map((row) => models.map((column) => cellOf(compared, row.run, column.run)));
  return { models, cells, samples: compared.samples };
}

/** By run, that its model differs from the one above it on the board. */
export type StepDown = Readonly<
  Record<string, { above: string; significantAt: NonNullable<Pair["significantAt"]> }>
>;

/**
 * Which models differ from the one above them. Of a model and the first of its tie group the board's own
 * tests, of more pairs, found no difference: there is none then.
 */
export function stepsDown({ models, cells }: WinMatrix): StepDown {
  const steps = models.flatMap((entry, i) => {
    const above = models[i - 1];
    const significantAt = cells[i - 1]?.[i]?.significantAt ?? null;
    if (above === undefined || significantAt === null) return [];
    const isTied = entry.tieGroup !== null && entry.tieGroup === above.tieGroup;
    if (isTied && models[i - 2]?.tieGroup !== above.tieGroup) return [];
    return [[entry.run, { above: above.model.name, significantAt }] as const];
  });
  return Object.fromEntries(steps);
}
