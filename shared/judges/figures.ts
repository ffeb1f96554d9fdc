import type { JudgeFigure, Reading, Scale, Terms } from "../contracts/judging/judge.ts";
import type { Metric } from "../contracts/metric.ts";
import type { Statistic } from "../stats/bootstrap/statistics.ts";

type Described = Pick<Metric, "id" | "label" | "definition" | "better">;

/** A figure of one number; `unit`: ratio if it is 0 or 1 for each answer. */
type Numbered = Described & { of: string; unit?: "count" | "ratio" };

/** Counts of a judgment in addition to its value. */
export interface Counted {
  numbers?: Readonly<Record<string, number>>;
  labels?: Readonly<Record<string, string>>;
  /** Quotations that are not in the answer. */
  invented?: number;
}

/**
 * A value with its counts.
 * @example readingOf(0.5).unsupportedEvidence // 0
 */
export const readingOf = (
  value: number,
  { numbers = {}, labels = {}, invented = 0 }: Counted = {},
): Reading => ({ value, numbers, labels, unsupportedEvidence: invented });

const perJudged: Terms = { judged: 1 };

/**
 * The mean of values over judged answers.
 * @example meanValue({ id: "empathy", label: "Empathy", definition: "…" }, "level").over // { judged: 1 }
 */
export function meanValue(described: Omit<Described, "better">, scale: Scale): JudgeFigure {
  const format = scale === "level" ? "level" : "score";
  return {
    metric: { ...described, unit: scale, better: "higher", format },
    of: { value: 1 },
    over: perJudged,
    empty: null,
  };
}

/**
 * A ratio of counts over all answers (micro), 0–1; `empty` if the denominator is zero.
 * @example ratioFigure({ ...described, of: { tp: 1 }, over: { tp: 1, fp: 1 }, empty: 1 })
 */
export const ratioFigure = ({
  better,
  of,
  over,
  empty,
  ...described
}: Described & { of: Terms; over: Terms; empty: number }): JudgeFigure => ({
  metric: { ...described, unit: "ratio", better, format: "score" },
  of,
  over,
  empty,
});

/**
 * The mean of a number over judged answers.
 * @example meanFigure({ ...described, of: "contradictions" })
 */
export const meanFigure = (number: Numbered): JudgeFigure => ({
  ...totalFigure(number),
  over: perJudged,
});

/**
 * The sum of a number over answers.
 * @example totalFigure({ ...described, of: "contradictions" }).over // null
 */
export const totalFigure = ({
  better,
  of,
  unit = "count",
  ...described
}: Numbered): JudgeFigure => ({
  metric: { ...described, unit, better, format: unit === "ratio" ? "percent" : "count" },
  of: { [of]: 1 },
  over: null,
  empty: null,
});

/**
 * A figure from sums over judged answers; null without judged answers. `placeOf` gives the index of a number's sum.
 * It is called only once, because a bootstrap computes the figure 10,000 times.
 * @example figureStatistic(meanValue(described, "ratio"), (name) => ["judged", "value"].indexOf(name))
 */
export function figureStatistic(
  { of, over, empty }: Pick<JudgeFigure, "of" | "over" | "empty">,
  placeOf: (name: string) => number,
): Statistic {
  const sideOf = (terms: Terms) => {
    const parts = Object.entries(terms).map(([name, weight]) => [placeOf(name), weight] as const);
    return (sums: Float64Array) => {
      let sum = 0;
      for (const [place, weight] of parts) sum += weight * sums[place]!;
      return sum;
    };
  };
  const judged = placeOf("judged");
  const part = sideOf(of);
  const whole = over === null ? () => 1 : sideOf(over);
  return (sums) => {
    if (sums[judged] === 0) return null;
    const by = whole(sums);
    return by === 0 ? empty : part(sums) / by;
  };
}

/**
 * A weighted sum of numbers by name.
 * @example weightedSum({ tp: 2 }, () => 3) // 6
 */
export function weightedSum(terms: Terms, sum: (name: string) => number): number {
  return Object.entries(terms).reduce((all, [name, weight]) => all + weight * sum(name), 0);
}
