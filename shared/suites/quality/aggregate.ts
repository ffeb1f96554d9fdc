import type { Aggregator } from "../../contracts/suite.ts";
import {
  addAnswer,
  mergeStates,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../measures/run-sums/run-state.ts";
import { numbersOf, type QualityColumn, qualityColumns, scoredIds } from "./columns.ts";
import type { QualityOptions } from "./options.ts";
import type { QualityDetail } from "./score.ts";
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

/**
 * The suite's aggregate: sums and spreads of the metrics and their components, and the summary they give.
 * Source: specification of the quality suite, overall.
 */
export const qualityAggregate: Aggregator<RunState, QualityDetail, QualityOptions> = {
  empty: () => noAnswers(rules),
  add: (state, scored) => addAnswer(rules, state, scored),
  merge: (a, b) => mergeStates(rules, mergeStates(rules, noAnswers(rules), a), b),
  finish: summarize,
};
