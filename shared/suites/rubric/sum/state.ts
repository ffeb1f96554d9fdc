import type { JudgedAnswer } from "../../../contracts/judging/judgment.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import {
  addJudged,
  type JudgedItem,
  type JudgeParts,
} from "../../../measures/judging/judge-parts.ts";
import { columnAt, ratioOf } from "../../../measures/run-sums/named-sums.ts";
import {
  addAnswer,
  noAnswers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { Statistic } from "../../../stats/bootstrap/statistics.ts";
import { noFamilies } from "../../../stats/sums/families.ts";
import type { RubricOptions } from "../options.ts";
import type { RubricDetail } from "../score/score.ts";

/** The state of a run: its sums, and its criteria. */
export interface RubricState {
  /** Ids, in the rubric's order. */
  criteria: string[];
  run: RunState;
  judges: JudgeParts;
}

const columnsOf = (criteria: readonly string[]): string[] => [
  "answers",
  "scored",
  "coveredScored",
  "rubricScore",
  ...criteria.flatMap((id) => [`${id}.asked`, `${id}.judged`, `${id}.value`, `${id}.unsupported`]),
];

/** How answers become numbers; an unscored answer has numbers for its judged criteria. */
const rulesOf = (criteria: readonly string[]): RunRules<string, RubricDetail> => ({
  columns: columnsOf(criteria),
  spreads: [],
  read: ({ score: { detail } }) => ({
    numbers: numbersOf(detail, criteria),
    counts: countsOf(detail),
  }),
});

function numbersOf(
  { status, rubricScore, metrics }: RubricDetail,
  criteria: readonly string[],
): Record<string, number> {
  const scored = Number(rubricScore !== null);
  const numbers: Record<string, number> = {
    answers: 1,
    scored,
    coveredScored: status === "error" ? 0 : scored,
    rubricScore: rubricScore ?? 0,
  };
  for (const id of criteria) {
    const { value = null, unsupportedEvidence = 0 } = metrics[id] ?? {};
    numbers[`${id}.asked`] = Number(id in metrics);
    numbers[`${id}.judged`] = Number(value !== null);
    numbers[`${id}.value`] = value ?? 0;
    numbers[`${id}.unsupported`] = value === null ? 0 : unsupportedEvidence;
  }
  return numbers;
}

function countsOf({ status, truncated, criteria, metrics }: RubricDetail): Record<string, number> {
  const counts: Record<string, number> = { [`status ${status}`]: 1 };
  if (truncated) counts["truncated"] = 1;
  for (const { id, grade } of criteria) {
    if (grade === null) counts[`unjudged ${id} ${metrics[id]?.unjudged ?? "not_given"}`] = 1;
    else counts[`grade ${id} ${grade}`] = 1;
  }
  return counts;
}

/**
 * The state without answers.
 * @example noState(options).criteria // ["correct", …]
 */
export function noState({
  rubric,
  passScore,
}: Pick<RubricOptions, "rubric" | "passScore">): RubricState {
  const criteria = rubric.criteria.map(({ id }) => id);
  return { criteria, run: noAnswers({ spreads: [] }, passScore), judges: noFamilies() };
}

/**
 * Judgments of an answer, criterion by criterion, with the sample's own ratings of it.
 * @example judgedValues(score)[0]?.metric // "correct"
 */
export const judgedValues = ({ detail }: { detail: RubricDetail }): (JudgedAnswer & JudgedItem)[] =>
  detail.criteria.map(({ id }) => {
    const { value = null, judges = [] } = detail.metrics[id] ?? {};
    return { metric: id, value, judges, human: detail.human[id] };
  });

/**
 * Adds an answer. Changes and returns `state`.
 * @example addScored(noState(options), scored).run.rows.length // 1
 */
export function addScored(state: RubricState, scored: ScoredSample<RubricDetail>): RubricState {
  addAnswer(rulesOf(state.criteria), state.run, scored);
  addJudged(state.judges, scored, judgedValues(scored.score));
  return state;
}

/**
 * Index of each number among the sums.
 * @example sumsAt(["tone"])["answers"] // 0
 */
export const sumsAt = (criteria: readonly string[]): Readonly<Record<string, number>> =>
  columnAt(columnsOf(criteria));

/**
 * The figures computed from sums over samples, by metric id: the rubric score, and the mean of each criterion.
 * @example runStatistics(["tone"])["tone"]!(sums) // 0–1
 */
export function runStatistics(criteria: readonly string[]): Readonly<Record<string, Statistic>> {
  const ratio = ratioOf(sumsAt(criteria));
  const means = criteria.map((id) => [id, ratio(`${id}.value`, `${id}.judged`)]);
  return { rubricScore: ratio("rubricScore", "scored"), ...Object.fromEntries(means) };
}
