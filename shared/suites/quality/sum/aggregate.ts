import type { Aggregator } from "../../../contracts/suite.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { QualityOptions } from "../options.ts";
import type { QualityDetail } from "../score/score.ts";
import { numbersOf, type QualityColumn, qualityColumns, scoredIds } from "./columns.ts";
import { addRated, type HumanState, noRatings } from "./human-rows.ts";
import { summarize } from "./summarize.ts";

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

/** What is kept of a run. */
export interface QualityState {
  run: RunState;
  human: HumanState;
}

/**
 * The suite's aggregate: sums and spreads of the metrics and their components, what people gave, and the
 * summary they make.
 * Source: docs/spec/quality.md, overall and validation.
 */
export const qualityAggregate: Aggregator<QualityState, QualityDetail, QualityOptions> = {
  empty: () => ({ run: noAnswers(rules), human: noRatings() }),
  add: ({ run, human }, scored) => ({
    run: addAnswer(rules, run, scored),
    human: addRated(human, scored),
  }),
  finish: ({ run, human }, facts) => summarize(run, human, facts),
};
