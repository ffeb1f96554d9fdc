import type { Aggregator } from "../../contracts/suite.ts";
import {
  addAnswer,
  mergeStates,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../measures/run-sums/run-state.ts";
import { type SlotColumn, slotColumns } from "./columns.ts";
import type { SlotsOptions } from "./options.ts";
import type { SlotsDetail } from "./score.ts";
import type { SlotCounts } from "./slot-counts.ts";
import { summarize } from "./summarize.ts";

/** Topics that a model made up, beyond those that are named. */
const otherTopics = "(others)";

/** How sessions become numbers: the whole session, and each of its topics. */
const rules: RunRules<SlotColumn, SlotsDetail> = {
  columns: slotColumns,
  spreads: [],
  read: ({ score: { status, detail } }) => {
    if (status !== "scored") return null;
    return {
      numbers: numbersOf(detail, detail.f1),
      parts: detail.topics.map(({ topic, ...counts }) => ({
        ...{ family: "topic", name: topic ?? otherTopics, numbers: numbersOf(counts, 0) },
      })),
      counts: {
        [`status ${detail.status}`]: 1,
        ...(detail.status === "answered" && { [`parse ${detail.parse}`]: 1 }),
        ...(detail.truncated && { truncated: 1 }),
      },
    };
  },
};

function numbersOf(counts: SlotCounts, sessionF1: number): Record<SlotColumn, number> {
  const { tp, fp, fn, exact, expectedTokens, predictedTokens, sharedTokens } = counts;
  const { bleuSum, extraValues } = counts;
  return {
    ...{ sessions: 1, tp, fp, fn, exact, expectedTokens, predictedTokens, sharedTokens },
    ...{ extraValues, bleuSum, sessionF1 },
  };
}

/**
 * The suite's aggregate: sums over sessions and by topic, and the summary they give.
 * Source: specification of the slots suite, metrics.
 */
export const slotsAggregate: Aggregator<RunState, SlotsDetail, SlotsOptions> = {
  empty: () => noAnswers(rules),
  add: (state, scored) => addAnswer(rules, state, scored),
  merge: (a, b) => mergeStates(rules, mergeStates(rules, noAnswers(rules), a), b),
  finish: summarize,
};
