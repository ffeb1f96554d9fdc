import type { Figures, Interval } from "../../stats/bootstrap/bootstrap.ts";
import {
  percentileFigures,
  sumFigures,
  type UnitValue,
} from "../../stats/bootstrap/percentile-figures.ts";
import { ratiosOf } from "../../stats/bootstrap/statistics.ts";
import { binnedInterval, binnedMeanInterval, noBins } from "../../stats/sums/log-bins.ts";
import { percentileInterval } from "../../stats/sums/percentile-interval.ts";
import {
  type CallNumbers,
  type Distribution,
  type Quantity,
  type QuantityBins,
  quantityNames,
  quantityOf,
} from "./distributions.ts";

/** Percentiles by the suffix of their metrics' ids. */
const shares = { P5: 0.05, P50: 0.5, P95: 0.95, P99: 0.99 } as const;
type Percentile = keyof typeof shares;
type Figure = Percentile | "Mean" | "Min" | "Max";

const ofTimes = ["P50", "P95", "P99", "Mean", "Min", "Max"] as const;

/** The figures of each quantity; a metric's id is the quantity's name followed by the figure's. */
export const figuresOf: Readonly<Record<Quantity, readonly Figure[]>> = {
  latency: ofTimes,
  firstToken: ofTimes,
  firstByte: ofTimes,
  generation: ofTimes,
  network: ["P50", "P95"],
  outputSpeed: ["P5", "P50"],
  inputTokens: ["P50"],
  outputTokens: ["P50"],
};

const isPercentile = (figure: Figure): figure is Percentile => figure in shares;

/**
 * A figure of a distribution; null without calls.
 * @example figureOf(distributions.latency, "P95")
 */
export function figureOf(distribution: Distribution, figure: Figure): number | null {
  if (figure === "Mean") return distribution.mean();
  if (isPercentile(figure)) return distribution.percentile(shares[figure]);
  return distribution.percentile(figure === "Min" ? 0 : 1);
}

/** Intervals by metric id: `drawn` ones need a bootstrap, in the order of its figures; `known` ones do not. */
export interface CallIntervals {
  drawn: { ids: string[]; figures: Figures[] };
  known: Record<string, Interval | null>;
}

/** Minimum number of units for a valid bootstrap interval of a percentile, measured by `npm run validate`. */
const leastDrawn: Readonly<Record<Percentile, number>> = { P5: 120, P50: 6, P95: 120, P99: 600 };

/** The numbers of an answer, and its unit of resampling (sample or cluster, from 0). */
interface UnitNumbers extends CallNumbers {
  unit: number;
}

/**
 * Intervals of the figures of single answers. Percentiles use order statistics if each answer is its own unit, else a
 * bootstrap over `units` units, which needs more units; means use a bootstrap. O(answers log answers).
 * Source: docs/spec/statistics.md, percentile and bootstrap interval.
 * @example intervalsOfCalls([{ latencyMs: 500, firstByteMs: 90, unit: 0 }], 1).drawn.ids // ["latencyMean", …]
 */
export function intervalsOfCalls(answers: readonly UnitNumbers[], units: number): CallIntervals {
  const areApart = new Set(answers.map(({ unit }) => unit)).size === answers.length;
  const all: CallIntervals = { drawn: { ids: [], figures: [] }, known: {} };
  const draw = (ids: readonly string[], figures: Figures) => {
    all.drawn.ids.push(...ids);
    all.drawn.figures.push(figures);
  };
  const means: { id: string; columns: Float64Array[] }[] = [];
  for (const name of quantityNames) {
    const values = answers.flatMap((answer): UnitValue[] => {
      const value = quantityOf(name, answer);
      return value === null ? [] : [{ value, unit: answer.unit }];
    });
    const figures = figuresOf[name];
    if (figures.includes("Mean")) means.push({ id: `${name}Mean`, columns: sumsOf(values, units) });
    const percentiles = figures.filter(isPercentile);
    if (areApart) {
      const sorted = Float64Array.from(values, ({ value }) => value).sort();
      for (const one of percentiles)
        all.known[name + one] = percentileInterval(sorted, shares[one]);
      continue;
    }
    const known = new Set(values.map(({ unit }) => unit)).size;
    const told = percentiles.filter((one) => known >= leastDrawn[one]);
    if (told.length === 0) continue;
    const drawn = percentileFigures(
      values,
      units,
      told.map((one) => shares[one]),
    );
    draw(
      told.map((one) => name + one),
      drawn,
    );
  }
  // All means are in one figure, so that columns share passes.
  const ratios = ratiosOf(means.map((_, k) => [2 * k, 2 * k + 1] as const));
  draw(
    means.map(({ id }) => id),
    sumFigures(
      means.flatMap(({ columns }) => columns),
      ratios,
    ),
  );
  return all;
}

/** Sums and numbers of values by unit. */
function sumsOf(values: readonly UnitValue[], units: number): Float64Array[] {
  const [sums, counts] = [new Float64Array(units), new Float64Array(units)];
  for (const { value, unit } of values) {
    sums[unit]! += value;
    counts[unit]!++;
  }
  return [sums, counts];
}

/**
 * Intervals of binned quantities, for which units are unknown: order statistics for percentiles, the central limit
 * theorem for means. All null if answers share sources (`isClustered`).
 * @example intervalsOfBins(bins, false).known["latencyP95"]
 */
export function intervalsOfBins(bins: QuantityBins, isClustered: boolean): CallIntervals {
  const intervalOf = (name: Quantity, figure: Figure): Interval | null => {
    const its = bins[name] ?? noBins();
    if (isClustered) return null;
    if (figure === "Mean") return binnedMeanInterval(its);
    return isPercentile(figure) ? binnedInterval(its, shares[figure]) : null;
  };
  const known = quantityNames.flatMap((name) =>
    figuresOf[name].map((figure) => [name + figure, intervalOf(name, figure)] as const),
  );
  return { drawn: { ids: [], figures: [] }, known: Object.fromEntries(known) };
}
