import type { Aggregator, RunFacts, Summary } from "../../../contracts/suite.ts";
import { type RunBasis, runBasis, shownBasis } from "../../../measures/run-sums/run-basis.ts";
import { estimatesOf, runFigures, tagParts } from "../../../measures/run-sums/run-figures.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import { spreadOf } from "../../../stats/sums/percentile.ts";
import { spreadValues } from "../../../stats/sums/unit-spread.ts";
import { qualityMetrics } from "../metrics.ts";
import type { QualityOptions } from "../options.ts";
import type { QualityDetail } from "../score/score.ts";
import type { QualityBreakdown } from "./breakdown.ts";
import {
  mainStatistics,
  numbersOf,
  type QualityColumn,
  qualityColumns,
  runStatistics,
  scoredIds,
  valueAt,
} from "./columns.ts";
import { addRated, type HumanState, humanAgreement, noRatings } from "./human-agreement.ts";

/** How responses become numbers. */
const rules: RunRules<QualityColumn, QualityDetail> = {
  columns: qualityColumns,
  spreads: scoredIds,
  read: ({ score: { status, detail } }) =>
    status === "scored"
      ? {
          numbers: numbersOf(detail),
          counts: {
            [`status ${detail.status}`]: 1,
            [`language ${detail.language}`]: 1,
            ...(detail.truncated && { truncated: 1 }),
          },
        }
      : null,
};

/** The state of a run. */
export interface QualityState {
  run: RunState;
  human: HumanState;
}

/**
 * The suite's aggregate: sums and spreads of the metrics and their components, people's ratings, and the summary.
 * Source: docs/spec/quality.md, overall and validation.
 */
export const qualityAggregate: Aggregator<QualityState, QualityDetail, QualityOptions> = {
  empty: ({ passScore }) => ({ run: noAnswers(rules, passScore), human: noRatings() }),
  add: ({ run, human }, scored) => ({
    run: addAnswer(rules, run, scored),
    human: addRated(human, scored),
  }),
  finish: ({ run, human }, facts) => summarize(run, human, facts),
};

/**
 * The summary of a run: every metric of the catalogue as the mean over samples with its interval, the
 * spread of each over samples, the metrics by tag, and their agreement with human ratings.
 * Source: docs/spec/quality.md, overall; docs/spec/statistics.md, bootstrap interval.
 * @example summarize(state, noRatings(), run).metrics["overall"] // { value, interval, n, coverage }
 */
function summarize(state: RunState, human: HumanState, run: RunFacts<QualityOptions>): Summary {
  const { repeats } = run.options;
  const basis = runBasis(state, repeats);
  const measured = runFigures(state, basis, runStatistics, qualityMetrics, run);
  const breakdown = { ...breakdownOf(state, basis, run.runId), human: humanOf(human, run.runId) };
  return { metrics: estimatesOf(qualityMetrics, measured), breakdown };
}

function breakdownOf(
  state: RunState,
  basis: RunBasis,
  seed: string,
): Omit<QualityBreakdown, "human"> {
  return {
    ...shownBasis(basis, state.answers.unscored),
    counts: state.counts,
    tags: tagParts(state, mainStatistics, seed),
    spreads: spreadsOf(state, basis),
  };
}

/** Null if no answered sample has ratings. */
function humanOf(state: HumanState, seed: string): QualityBreakdown["human"] {
  const { answers, rows } = state;
  if (answers === 0) return null;
  return { answers, isTooLarge: rows === null, metrics: humanAgreement(state, seed) };
}

/** Spreads over samples with averaged repeats; for a run kept as blocks, over answers. */
function spreadsOf({ spreads }: RunState, { values }: RunBasis): QualityBreakdown["spreads"] {
  return scoredIds.flatMap((metric, k) => {
    const known = values?.map((row) => valueAt(row, metric)) ?? spreadValues(spreads[k]!);
    if (known.length === 0) return [];
    const { mean, min, max, median, sd } = spreadOf(known);
    return [{ metric, mean: mean!, min: min!, max: max!, median: median!, sd }];
  });
}
