import { addCounts } from "../../stats/add-counts.ts";
import { addExact, type ExactSum, exactValue, noSum } from "../../stats/exact-sum.ts";
import { hash32 } from "../../stats/hash32.ts";
import { addBinned, type LogBins, mergeBins, noBins } from "../../stats/log-bins.ts";
import { addColumns, type ColumnSums, noColumnSums, rowNumbers } from "./columns.ts";
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
  x: ExactSum;
  y: ExactSum;
  xx: ExactSum;
  yy: ExactSum;
  xy: ExactSum;
}

/** A run of more answers than are kept as rows: sums that are the same in any order. */
export interface Blocks {
  columns: Record<number, ColumnSums>;
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
      correlationPairs.map(({ id }) => [id, noMoments()]),
    ) as Blocks["moments"],
  };
}

function noMoments(): Moments {
  return { n: 0, x: noSum(), y: noSum(), xx: noSum(), yy: noSum(), xy: noSum() };
}

/**
 * Adds a row to the block of its sample, or of its cluster.
 * @example addToBlocks(blocks, row)
 */
export function addToBlocks(blocks: Blocks, row: ScoreRow): void {
  const numbers = rowNumbers(row);
  const block = hash32(unitName(row)) % blockCount;
  blocks.columns[block] ??= noColumnSums();
  addColumns(blocks.columns[block], numbers);
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
  addExact(moments.x, x);
  addExact(moments.y, y);
  addExact(moments.xx, x * x);
  addExact(moments.yy, y * y);
  addExact(moments.xy, x * y);
}

/**
 * The moments of a pair as numbers.
 * @example pearsonOfSums(pairSums(blocks.moments.latencyByDepth))
 */
export function pairSums({ n, x, y, xx, yy, xy }: Moments) {
  const [of, by] = [exactValue(x), exactValue(y)];
  return { n, x: of, y: by, xx: exactValue(xx), yy: exactValue(yy), xy: exactValue(xy) };
}

/**
 * Adds the blocks of other answers.
 * @example mergeBlocks(blocks, other)
 */
export function mergeBlocks(blocks: Blocks, other: Blocks): void {
  addCounts(blocks.columns, other.columns);
  addCounts(blocks.means, other.means);
  mergeBins(blocks.latency, other.latency);
  mergeBins(blocks.firstByte, other.firstByte);
  mergeBins(blocks.generation, other.generation);
  addCounts(blocks.moments, other.moments);
}
