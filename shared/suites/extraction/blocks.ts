import { addEach, type CompensatedSums, eachSum, noSums } from "../../stats/compensated-sum.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addBinned, type LogBins, noBins } from "../../stats/log-bins.ts";
import { headlineColumns, headlineValues, rowNumbers } from "./columns.ts";
import { type CorrelationId, correlationPairs } from "./correlations.ts";
import { addMeans, type MeanSums, noMeanSums } from "./sample-means.ts";
import { type ScoreRow, unitName } from "./score-row.ts";

/** Answers that are kept row by row; a run with more is kept in blocks. */
export const mostRows = 20_000;

/**
 * Groups of samples that a large run is kept and resampled in: an interval from these differs from one
 * over samples by some 1% of its width.
 */
const blockCount = 4_096;

/** Sums over pairs for a correlation. */
interface Moments {
  n: number;
  /** Of x, y, x², y² and x · y. */
  sums: CompensatedSums;
}

/** A run of more answers than are kept as rows: sums by block, and of all. */
export interface Blocks {
  columns: Record<number, CompensatedSums>;
  means: MeanSums;
  latency: LogBins;
  firstByte: LogBins;
  generation: LogBins;
  moments: Record<CorrelationId, Moments>;
}

/**
 * No answers yet.
 * @example noBlocks().columns // {}
 */
export function noBlocks(): Blocks {
  return {
    ...{ columns: {}, means: noMeanSums() },
    ...{ latency: noBins(), firstByte: noBins(), generation: noBins() },
    moments: Object.fromEntries(
      correlationPairs.map(({ id }) => [id, { n: 0, sums: noSums(5) }]),
    ) as Blocks["moments"],
  };
}

/**
 * Adds a row to the block of its sample, or of its cluster.
 * @example addToBlocks(blocks, row)
 */
export function addToBlocks(blocks: Blocks, row: ScoreRow): void {
  const numbers = rowNumbers(row);
  const block = hash32(unitName(row)) % blockCount;
  blocks.columns[block] ??= noSums(headlineColumns.length);
  addEach(blocks.columns[block], headlineValues(numbers));
  addMeans(blocks.means, numbers);
  const { latencyMs, firstByteMs } = row;
  if (latencyMs !== null) addBinned(blocks.latency, latencyMs);
  if (firstByteMs !== null) addBinned(blocks.firstByte, firstByteMs);
  if (latencyMs !== null && firstByteMs !== null) {
    addBinned(blocks.generation, Math.max(0, latencyMs - firstByteMs));
  }
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
