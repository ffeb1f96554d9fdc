import type { ScoredSample } from "../../../contracts/suite.ts";
import { type QualityMetric, qualityMetricIds } from "../metrics.ts";
import type { HumanRatings } from "../sample.ts";
import type { QualityDetail } from "../score/score.ts";

/** Rated answers that are kept; of a run with more, correlations with people are not worked out. */
export const mostRated = 20_000;

/** Ratings of one metric of one sample: how many, their mean, the sum of squares around it. */
export type Ratings = [count: number, mean: number, squares: number];

/** A rated answer: what it earned, in the order of the metrics, and what people gave. */
export interface RatedAnswer {
  id: string;
  cluster: string | null;
  values: number[];
  ratings: Partial<Record<QualityMetric, Ratings>>;
}

/** What is kept of people's ratings: rated answers, or only their number once they are too many. */
export interface HumanState {
  answers: number;
  /** In the order of the run. */
  rows: RatedAnswer[] | null;
}

/**
 * No ratings yet.
 * @example noRatings().answers // 0
 */
export const noRatings = (): HumanState => ({ answers: 0, rows: [] });

/**
 * Adds an answer if people rated its sample and a request for it was answered: what failed has no response to
 * be rated. Changes and returns `state`.
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
