import type { ScoredSample } from "../../../contracts/suite.ts";
import { slotAccuracy } from "../../../judges/metrics/slot-accuracy.ts";
import { addJudged, type JudgeParts } from "../../../measures/judging/judge-parts.ts";
import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { noFamilies } from "../../../stats/sums/families.ts";
import { defaultOptions, type SlotsOptions } from "../options.ts";
import type { SlotsDetail } from "../score/score.ts";
import { type SlotCounts, type SlotFigures, slotFigures } from "../score/slot-counts.ts";

/** State of a run: its sums, and its judges' activity. */
export interface SlotsState {
  run: RunState;
  judges: JudgeParts;
}

/** All topics that a model invented, after the named ones. */
const otherTopics = "(others)";

/** Prefix of the names of judging counts. */
export const judgeCount = "judge ";

/** The summed columns, in order. */
const slotColumns: readonly SlotColumn[] = [
  "sessions",
  "tp",
  "fp",
  "fn",
  "exact",
  "expectedTokens",
  "predictedTokens",
  "sharedTokens",
  "extraValues",
  "judgedSlots",
  "bleuSum",
  "sessionF1",
  "judgeSum",
];

/** How sessions become numbers: the whole session, and each of its topics. */
const rules: RunRules<SlotColumn, SlotsDetail> = {
  columns: slotColumns,
  spreads: [],
  read: ({ score: { status, covered, detail }, call: { structuredMode: mode } }) => {
    if (status !== "scored") return null;
    return {
      numbers: { ...numbersOf(detail), sessionF1: detail.f1, ...judgeNumbers(detail) },
      parts: detail.topics.map(({ topic, ...counts }) => ({
        family: "topic",
        name: topic ?? otherTopics,
        numbers: numbersOf(counts),
      })),
      counts: {
        [`status ${detail.status}`]: 1,
        ...(detail.status === "answered" && { [`parse ${detail.parse}`]: 1 }),
        ...(detail.truncated && { truncated: 1 }),
        ...(mode !== null && { [`mode ${mode}`]: 1, [`unfit ${mode}`]: Number(isUnfit(detail)) }),
        ...judgeCounts(detail, covered),
      },
    };
  },
};

/** Whether an untruncated answer is not pure JSON or has a topic that is not in the schema. */
const isUnfit = ({ status, truncated, parse, topics }: SlotsDetail): boolean =>
  status === "answered" &&
  !truncated &&
  (parse !== "clean" || topics.some(({ listed }) => !listed));

function numbersOf(counts: SlotCounts): Record<SlotColumn, number> {
  const { tp, fp, fn, exact, expectedTokens, predictedTokens, sharedTokens } = counts;
  const { bleuSum, extraValues } = counts;
  return {
    sessions: 1,
    tp,
    fp,
    fn,
    exact,
    expectedTokens,
    predictedTokens,
    sharedTokens,
    extraValues,
    bleuSum,
    sessionF1: 0,
    judgedSlots: 0,
    judgeSum: 0,
  };
}

/** Sums of a session whose slots were all judged. */
function judgeNumbers({ judged, tp, fn }: SlotsDetail) {
  const isJudged = judged !== undefined && judged.score !== null;
  return isJudged ? { judgedSlots: tp + fn, judgeSum: judged.sum } : {};
}

/** Numbers of sessions to judge, judged, and answered; stored slots, and reasons of unjudged ones. */
function judgeCounts({ judged, fields }: SlotsDetail, covered: boolean): Record<string, number> {
  if (judged === undefined) return {};
  const counts: Record<string, number> = {
    [`${judgeCount}wanted`]: 1,
    [`${judgeCount}stored`]: judged.stored,
  };
  if (judged.score !== null) {
    counts[`${judgeCount}sessions`] = 1;
    counts[`${judgeCount}covered`] = Number(covered);
  }
  for (const { judged: slot } of fields) {
    if (!slot || slot.unjudged === null) continue;
    const name = `${judgeCount}unjudged ${slot.unjudged}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/**
 * The state without answers.
 * @example noState().run.rows // []
 */
export const noState = ({
  passScore,
}: Pick<SlotsOptions, "passScore"> = defaultOptions): SlotsState => ({
  run: noAnswers(rules, passScore),
  judges: noFamilies(),
});

/**
 * Adds an answer. Changes and returns `state`.
 * @example addScored(noState(), scored).run.rows.length // 1
 */
export function addScored(state: SlotsState, scored: ScoredSample<SlotsDetail>): SlotsState {
  addAnswer(rules, state.run, scored);
  const { status, detail } = scored.score;
  if (status !== "scored" || detail.judged === undefined) return state;
  const things = detail.fields.flatMap(({ judged }) =>
    judged === undefined ? [] : [{ metric: slotAccuracy.id, judges: judged.judges }],
  );
  addJudged(state.judges, scored, things);
  return state;
}

/** The sums of a session, or of a topic in it. */
type SlotColumn = keyof SlotCounts | "sessions" | "sessionF1" | "judgedSlots" | "judgeSum";

const at = columnAt(slotColumns);

/**
 * Summed columns as counts.
 * @example countsIn(sums).tp
 */
function countsIn(sums: Float64Array): SlotCounts {
  return {
    tp: sums[at.tp]!,
    fp: sums[at.fp]!,
    fn: sums[at.fn]!,
    exact: sums[at.exact]!,
    expectedTokens: sums[at.expectedTokens]!,
    predictedTokens: sums[at.predictedTokens]!,
    sharedTokens: sums[at.sharedTokens]!,
    bleuSum: sums[at.bleuSum]!,
    extraValues: sums[at.extraValues]!,
  };
}

const figureIds = [
  "f1",
  "precision",
  "recall",
  "valuePrecision",
  "valueRecall",
  "valueF1",
  "exactMatchCoverage",
  "tokenPrecision",
  "tokenRecall",
  "tokenF1",
  "bleu1",
  "extraSlots",
  "extraValues",
] satisfies (keyof SlotFigures)[];

/**
 * The micro figures of a run or a part of it by metric id, from summed columns.
 * Source: docs/spec/slots.md, metrics.
 * @example slotStatistics["f1"]!(sums) // 0–1
 */
export const slotStatistics: Readonly<Record<string, Statistic>> = Object.fromEntries(
  figureIds.map((id) => [id, (sums: Float64Array) => slotFigures(countsIn(sums))[id]]),
);

/** Figures of a topic with its number of expected slots: 0 for a topic that a model invented. */
export const topicStatistics: Readonly<Record<string, Statistic>> = {
  ...slotStatistics,
  expectedSlots: (sums) => sums[at.tp]! + sums[at.fn]!,
};

/** Figures of a run: the above, the mean F1 of sessions, and the judge score of judged sessions. */
export const runStatistics: Readonly<Record<string, Statistic>> = {
  ...slotStatistics,
  f1Macro: ratioOf(at)("sessionF1", "sessions"),
  judgeScore: ratioOf(at)("judgeSum", "judgedSlots"),
};
