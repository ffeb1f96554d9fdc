import type { Comparison, MetricComparison } from "#shared/contracts/boards/comparison.ts";
import type { Leaderboard, LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { levelOf } from "#shared/measures/comparison/tie-groups.ts";

type Level = ReturnType<typeof levelOf>;

/** How often one model beats another, and whether they differ. */
interface WinCell {
  /** Share of the common samples on which the row's model is better; ties count half. */
  rate: number;
  /** By the board's own tests, which also determine its tie groups. */
  significantAt: Level;
}

/** Win rates of models over one another, in the order of the board. */
export interface WinMatrix {
  models: readonly LeaderboardEntry[];
  /** By row and column; null on the diagonal, or if the comparison does not have the pair. */
  cells: readonly (readonly (WinCell | null)[])[];
  samples: number;
  units: MetricComparison["units"];
}

type Board = Pick<Leaderboard, "headline" | "entries" | "tests">;

/** The corrected p-value of two models by their places among the ranked ones; null if the board has none. */
const pOf = ({ tests }: Board, one: number, other: number): number | null =>
  tests?.pHolm[Math.max(one, other)]?.[Math.min(one, other)] ?? null;

/** How often the row's run is better; null if the comparison does not have the pair. */
function rateOf({ better, pairs }: MetricComparison, row: string, column: string): number | null {
  const pair = pairs.find(({ a, b }) => (a === row && b === column) || (a === column && b === row));
  if (pair === undefined) return null;
  const isFirst = pair.a === row;
  const isHigherBetter = better === "higher";
  return isFirst === isHigherBetter ? pair.winRate : 1 - pair.winRate;
}

/**
 * The win rates of a board's models by its headline, with the levels of significance; null without a comparison of
 * two of them.
 */
export function winMatrix(comparison: Comparison | null, board: Board): WinMatrix | null {
  const compared = comparison?.metrics.find(({ metric }) => metric === board.headline);
  if (!compared) return null;
  const known = new Set(compared.standings.map(({ run }) => run));
  const models = board.entries
    .filter(({ rank }) => rank !== null)
    .map((entry, place) => ({ entry, place }))
    .filter(({ entry }) => known.has(entry.run));
  if (models.length < 2) return null;
  const cells = models.map((row) =>
    models.map((column) => {
      const rate = rateOf(compared, row.entry.run, column.entry.run);
      const significantAt = levelOf(pOf(board, row.place, column.place));
      return rate === null ? null : { rate, significantAt };
    }),
  );
  const { samples, units } = compared;
  return { models: models.map(({ entry }) => entry), cells, samples, units };
}

/** Runs whose model differs significantly from the one above it on the board. */
export type StepDown = Readonly<
  Record<string, { above: string; significantAt: NonNullable<Level> }>
>;

/** The models that differ from the one above them, as far as the board has tests. */
export function stepsDown(board: Board): StepDown {
  const ranked = board.entries.filter(({ rank }) => rank !== null);
  const steps = ranked.flatMap(({ run }, i) => {
    const above = ranked[i - 1];
    const significantAt = levelOf(pOf(board, i, i - 1));
    return above === undefined || significantAt === null
      ? []
      : [[run, { above: above.model.name, significantAt }] as const];
  });
  return Object.fromEntries(steps);
}

/**
 * A rank's interval as `1–3`; null if there is none. Fractional ends, from a percentile between two draws, are
 * rounded outwards.
 */
export function rankEnds({ rankInterval }: Pick<LeaderboardEntry, "rankInterval">): string | null {
  if (rankInterval === null) return null;
  const [low, high] = rankInterval;
  return `${Math.floor(low)}–${Math.ceil(high)}`;
}
