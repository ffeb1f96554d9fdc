import type { Answer } from "../../../contracts/answer.ts";
import { gradeEnds, gradeValue } from "../../../contracts/judging/judge.ts";
import { labelsOf } from "../../../contracts/judging/rating.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { type JudgedDetail, judgedDetail } from "../../../judges/metric-detail.ts";
import { atLeast } from "../../../measures/report/figures/tier.ts";
import { materialOf } from "../ask.ts";
import { type CriterionJudge, criterionJudges } from "../criteria.ts";
import type { RubricOptions } from "../options.ts";
import { gradesOf, type Rubric } from "../rubric.ts";
import type { HumanGrades, RubricSample } from "../sample.ts";

/** The scoring of one answer, as sample pages show it. */
export interface RubricDetail extends JudgedDetail {
  /** 0–1; null: unscored. */
  rubricScore: number | null;
  /** The criteria in their order, each with the grade next to its value; null: unjudged. */
  criteria: { id: string; label: string; weight: number; grade: number | null; best: number }[];
  /** The sample's ratings of this answer as values, 0–1. */
  human: HumanGrades;
}

/** The weighted mean of the criteria, 0–1; null if a criterion with a weight is unjudged, or none has a weight. */
function weightedScore(
  criteria: Rubric["criteria"],
  values: Readonly<Record<string, number | null>>,
): number | null {
  let [sum, whole] = [0, 0];
  for (const { id, weight } of criteria) {
    if (weight === 0) continue;
    const value = values[id] ?? null;
    if (value === null) return null;
    sum += weight * value;
    whole += weight;
  }
  // Weight fractions may not sum to exactly 1.
  return whole === 0 ? null : Math.min(1, sum / whole);
}

/**
 * Scores one answer by its judgments: the rubric score, 0–1, unscored if a criterion with a weight is unjudged.
 * Criteria that do not apply to the sample are left out. A blank answer scores 0, and so does a failed request, which
 * is not covered. Never throws; the detail is bounded for any judgments.
 * @example scoreRubric(sample, { ...emptyAnswer, output: "Hi.", judgments }, options).score // 0–1
 */
export function scoreRubric(
  sample: RubricSample,
  answer: Answer,
  { rubric, panelRule }: Pick<RubricOptions, "rubric" | "panelRule">,
): SampleScore<RubricDetail> {
  const applies = ({ id }: { id: string }) => !sample.skip.includes(id);
  const criteria = rubric.criteria.filter(applies);
  const judges = criterionJudges(rubric).filter(applies);
  const judged = judgedDetail(judges, answer, materialOf(sample, answer), panelRule);
  const { status, metrics } = judged;
  const values = Object.fromEntries(Object.entries(metrics).map(([id, { value }]) => [id, value]));
  const hasText = status === "answered" || status === "refused";
  const score = hasText ? weightedScore(criteria, values) : 0;
  const detail: RubricDetail = {
    ...judged,
    rubricScore: score,
    criteria: criteria.map((criterion, i) => ({
      id: criterion.id,
      label: judges[i]!.label,
      weight: criterion.weight,
      grade: nearestGrade(judges[i]!, gradesOf(criterion), values[criterion.id] ?? null),
      best: judges[i]!.grades[1],
    })),
    human: humanValues(labelsOf(sample.human, answer) ?? {}, judges),
  };
  return {
    status: score === null ? "unscored" : "scored",
    score,
    covered: answer.error === null,
    detail,
  };
}

/** The grade closest to a value; on ties, which a panel's median can cause, the worse one. */
function nearestGrade(
  judge: CriterionJudge,
  grades: readonly number[],
  value: number | null,
): number | null {
  if (value === null) return null;
  const distance = (grade: number) => Math.abs(gradeValue(judge, grade) - value);
  const worstFirst = [...grades].sort((a, b) => gradeValue(judge, a) - gradeValue(judge, b));
  return worstFirst.reduce((best, one) => (distance(one) < distance(best) - EQUAL ? one : best));
}

/** Differences below this are rounding errors. */
const EQUAL = 1e-9;

/** Grades of other rubrics' criteria, and grades outside the scale, are left out. */
function humanValues(grades: HumanGrades, judges: readonly CriterionJudge[]): HumanGrades {
  const known = judges.flatMap((judge): [string, number][] => {
    const grade = Object.hasOwn(grades, judge.id) ? grades[judge.id]! : Number.NaN;
    const [low, high] = gradeEnds(judge);
    return grade >= low && grade <= high ? [[judge.id, gradeValue(judge, grade)]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * An answer's contribution to each metric by which runs are compared: the rubric score, whether it passes if the
 * options have a pass score, then the criteria; null if unjudged.
 * @example sampleValues(score)["correct"] // 0–1
 */
export function sampleValues(
  { score, detail }: SampleScore<RubricDetail>,
  { passScore = null }: Partial<Pick<RubricOptions, "passScore">> = {},
): Record<string, number | null> {
  const values = detail.criteria.map(({ id }) => [id, detail.metrics[id]?.value ?? null]);
  return {
    rubricScore: score,
    ...(passScore !== null && { passRate: score === null ? null : +atLeast(score, passScore) }),
    ...Object.fromEntries(values),
  };
}
