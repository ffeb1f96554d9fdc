import { noTimeBins } from "../../../measures/durations.ts";
import { addToBlocks, type Blocks } from "../../../measures/run-sums/run-state.ts";
import { addEach, type CompensatedSums, eachSum, noSums } from "../../../stats/compensated-sum.ts";
import { headlineValues, rowNumbers } from "./columns.ts";
import { type CorrelationId, correlationPairs } from "./correlations.ts";
import { addMeans, type MeanSums, noMeanSums } from "./sample-means.ts";
import type { ScoreRow } from "./score-row.ts";

/** Sums over pairs for a correlation. */
interface Moments {
  n: number;
  /** Of x, y, x², y² and x · y. */
  sums: CompensatedSums;
}

/** A run of more answers than are kept as rows: the headline's sums by block, the others of all. */
export interface ExtractionBlocks extends Blocks {
  means: MeanSums;
  moments: Record<CorrelationId, Moments>;
}

/**
 * No answers yet.
 * @example noBlocks().columns // {}
 */
export function noBlocks(): ExtractionBlocks {
  return {
    columns: {},
    times: noTimeBins(),
    means: noMeanSums(),
    moments: Object.fromEntries(
      correlationPairs.map(({ id }) => [id, { n: 0, sums: noSums(5) }]),
    ) as ExtractionBlocks["moments"],
  };
}

/**
 * Adds a row to the block of its sample, or of its cluster.
 * @example addRowToBlocks(blocks, row)
 */
export function addRowToBlocks(blocks: ExtractionBlocks, row: ScoreRow): void {
  const numbers = rowNumbers(row);
  addToBlocks(blocks, { ...row, values: headlineValues(numbers) });
  addMeans(blocks.means, numbers);
  for (const { id, of } of correlationPairs) addPair(blocks.moments[id], of(row, numbers));
}

function addPair(moments: Moments, [x, y]: [number | null, number | null]): void {
  if (x === null || y === null) return;
  moments.n++;
  addEach(moments.sums, [x, y, x * x, y * y, x * y]);
}

/**
 * The moments of a pair as numbers.
 * @example pearsonOfSums(pairSums(blocks.moments.latencyByDepth))
 */
export function pairSums({ n, sums }: Moments) {
  const [x = 0, y = 0, xx = 0, yy = 0, xy = 0] = eachSum(sums);
  return { n, x, y, xx, yy, xy };
}
