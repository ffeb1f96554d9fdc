import type { ScoredSample } from "../../../contracts/suite.ts";
import { uncertain } from "../../../measures/run-sums/interval-of.ts";
import { bootstrap, type Interval, resampleCount } from "../../../stats/bootstrap/bootstrap.ts";
import {
  correlationFigures,
  type UnitPairs,
} from "../../../stats/bootstrap/correlation-figures.ts";
import { sumFigures } from "../../../stats/bootstrap/percentile-figures.ts";
import { combineStatistics, type Statistic } from "../../../stats/bootstrap/statistics.ts";
import { type Correlation, pearson } from "../../../stats/correlation/pearson.ts";
import { spearman } from "../../../stats/correlation/spearman.ts";
import { type QualityMetric, qualityMetricIds } from "../metrics.ts";
import type { HumanRatings } from "../sample.ts";
import type { QualityDetail } from "../score/score.ts";

/** Maximum pairs × resamples of a correlation: up to 1,000 samples have all 10,000 resamples. */
const mostWork = 1e7;
/** With fewer, the ends of an interval vary by more than a twentieth of its width. */
const fewestResamples = 1_000;

/** A sample with its ratings of one metric. */
interface RatedSample {
  value: number;
  ratings: Ratings;
  unit: number;
}

/**
 * Agreement of every rated metric with people: Spearman's and Pearson's correlation of the scores (repeats averaged)
 * with the mean rating of each sample, and the agreement of raters. Intervals resample samples, or clusters if samples
 * have them. Correlations are null below three samples and if scores or ratings do not vary. O(resamples · samples);
 * resamples fall from 10,000 to 1,000 beyond 1,000 samples.
 * Source: docs/spec/quality.md, validation; docs/spec/statistics.md, agreement.
 * @example humanAgreement(state, "run-1")[0]?.spearman.value
 */
export function humanAgreement({ rows }: HumanState, seed: string) {
  const bySample = Map.groupBy(rows ?? [], ({ id }) => id);
  return qualityMetricIds.flatMap((metric, k) => {
    const samples = samplesOf(bySample, metric, k);
    return samples.length === 0 ? [] : [agreementOn(metric, samples, `${seed} people ${metric}`)];
  });
}

function samplesOf(
  bySample: ReadonlyMap<string, readonly RatedAnswer[]>,
  metric: QualityMetric,
  k: number,
): RatedSample[] {
  const units = new Map<string, number>();
  return [...bySample].flatMap(([id, answers]) => {
    const [first] = answers;
    const ratings = first?.ratings[metric];
    if (first === undefined || ratings === undefined) return [];
    const name = first.cluster === null ? `sample ${id}` : `cluster ${first.cluster}`;
    const unit = units.get(name) ?? units.size;
    units.set(name, unit);
    const value = answers.reduce((sum, { values }) => sum + values[k]!, 0) / answers.length;
    return [{ value, ratings, unit }];
  });
}

/** Agreement of one metric with human ratings, and of the ratings with one another. */
function agreementOn(metric: QualityMetric, samples: readonly RatedSample[], seed: string) {
  const pairs: UnitPairs = {
    x: samples.map(({ value }) => value),
    y: samples.map(({ ratings }) => ratings[1]),
    unitOf: samples.map(({ unit }) => unit),
  };
  const units = Math.max(...samples.map(({ unit }) => unit)) + 1;
  const resamples = resamplesFor(samples.length);
  const [ofValues, ofRanks] = bootstrap(units, seed, [correlationFigures(pairs)], { resamples });
  const { x, y } = pairs;
  return {
    metric,
    n: samples.length,
    spearman: correlated(spearman(x, y), uncertain(ofRanks ?? null, samples.length)),
    pearson: correlated(pearson(x, y), uncertain(ofValues ?? null, samples.length)),
    raters: ratersOf(samples, units, seed),
  };
}

/** Without a correlation of the whole, the correlations of resamples are meaningless. */
const correlated = ({ r, p }: Correlation, interval: Interval | null) => ({
  value: r,
  interval: r === null ? null : interval,
  p,
});

/** A multiple of four, as the bootstrap requires. */
function resamplesFor(samples: number): number {
  const affordable = Math.floor(mostWork / samples / 4) * 4;
  return Math.max(fewestResamples, Math.min(resampleCount, affordable));
}

/** Krippendorff's alpha (interval) over samples with several ratings; null if there are none. */
function ratersOf(samples: readonly RatedSample[], units: number, seed: string) {
  const several = samples.filter(({ ratings: [count] }) => count > 1);
  if (several.length === 0) return null;
  const columns = alphaColumns(several, units);
  const sums = Float64Array.from(columns, (column) => column.reduce((a, b) => a + b, 0));
  const value = alpha(sums);
  const [interval = null] = bootstrap(units, seed, [
    sumFigures(columns, combineStatistics([alpha])),
  ]);
  return {
    value,
    interval: value === null ? null : uncertain(interval, several.length),
    samples: several.length,
    ratings: sums[0]!,
  };
}

/**
 * Krippendorff's alpha from sums over samples: the number of ratings, the deviations of ratings from their mean, the
 * squares of these, and the disagreement within samples, Σ (x − y)² over ordered pairs / (ratings − 1).
 */
const alpha: Statistic = (sums) => {
  const [count, sum, squares, observed] = sums as unknown as [number, number, number, number];
  const expected = (2 * (count * squares - sum ** 2)) / (count - 1);
  return count < 2 || !(expected > 0) ? null : 1 - observed / expected;
};

function alphaColumns(samples: readonly RatedSample[], units: number): Float64Array[] {
  const total = samples.reduce((sum, { ratings: [count] }) => sum + count, 0);
  const centre = samples.reduce(
    (sum, { ratings: [count, mean] }) => sum + (count / total) * mean,
    0,
  );
  const columns = Array.from({ length: 4 }, () => new Float64Array(units));
  for (const { unit, ratings } of samples) {
    const [count, mean, squares] = ratings;
    const off = mean - centre;
    const parts = [
      count,
      count * off,
      squares + count * off ** 2,
      (2 * count * squares) / (count - 1),
    ];
    for (const [k, part] of parts.entries()) columns[k]![unit]! += part;
  }
  return columns;
}

/** Maximum stored rated answers; for a run with more, correlations with human ratings are not computed. */
export const mostRated = 20_000;

/** Ratings of one metric of one sample: their number, their mean, and the sum of squares around it. */
type Ratings = [count: number, mean: number, squares: number];

/** A rated answer: its scores, in the order of the metrics, and people's ratings. */
export interface RatedAnswer {
  id: string;
  cluster: string | null;
  values: number[];
  ratings: Partial<Record<QualityMetric, Ratings>>;
}

/** State of people's ratings: rated answers, or only their number if there are too many. */
export interface HumanState {
  answers: number;
  /** In run order. */
  rows: RatedAnswer[] | null;
}

/**
 * The state without ratings.
 * @example noRatings().answers // 0
 */
export const noRatings = (): HumanState => ({ answers: 0, rows: [] });

/**
 * Adds an answer if people rated its sample and the request was answered: a failed request has no response to
 * rate. Changes and returns `state`.
 * Source: docs/spec/quality.md, validation.
 * @example addRated(noRatings(), scored).answers // 1
 */
export function addRated(
  state: HumanState,
  { id, tags, score }: ScoredSample<QualityDetail>,
): HumanState {
  const ratings = score.covered ? summed(score.detail.human ?? {}) : {};
  if (Object.keys(ratings).length === 0) return state;
  const { detail } = score;
  const values = qualityMetricIds.map((metric) =>
    metric === "overall" ? detail.overall : detail[metric].score,
  );
  state.answers++;
  if (state.answers > mostRated) state.rows = null;
  state.rows?.push({ id, cluster: tags["cluster"] ?? null, values, ratings });
  return state;
}

function summed(human: HumanRatings): RatedAnswer["ratings"] {
  const given = qualityMetricIds.flatMap((metric) => {
    const known = (human[metric] ?? []).filter((rating) => rating !== null);
    if (known.length === 0) return [];
    const mean = known.reduce((sum, rating) => sum + rating / known.length, 0);
    const squares = known.reduce((sum, rating) => sum + (rating - mean) ** 2, 0);
    return [[metric, [known.length, mean, squares]] as const];
  });
  return Object.fromEntries(given);
}
