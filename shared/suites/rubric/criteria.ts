import { z } from "zod";
import type { AskedJudge, SectionSource } from "../../contracts/judging/judge.ts";
import { gradeValue } from "../../contracts/judging/judge.ts";
import type { Metric } from "../../contracts/metric.ts";
import { defaultModels } from "../../judges/default-models.ts";
import { keepSupported } from "../../judges/evidence.ts";
import type { Turn } from "../../judges/exchange.ts";
import { gradingJudge } from "../../judges/grading-judge.ts";
import { reasoning, texts } from "../../judges/judgment-parts.ts";
import { fixedMetrics, rubricScore } from "./metrics.ts";
import { type Criterion, gradesOf, labelOf, type Rubric, shownParts } from "./rubric.ts";

/** The material shown to judges. */
export interface Material {
  system: string | null;
  history: readonly Turn[];
  context: string | null;
  query: string;
  reference: string | null;
  answer: string;
}

/** A judgment by one criterion. */
interface CriterionJudgment {
  reasoning: string;
  /** Quotations of the answer. */
  evidence: string[];
  score: number;
}

export type CriterionJudge = AskedJudge<CriterionJudgment, Material> & {
  grades: readonly [worst: number, best: number];
};

const judges = new WeakMap<Rubric, readonly CriterionJudge[]>();

/**
 * The judges of a rubric, one for each criterion, in its order. The same rubric object gives the same judges.
 * @example criterionJudges(defaultRubric)[0]?.id // "correct"
 */
export function criterionJudges(rubric: Rubric): readonly CriterionJudge[] {
  const known = judges.get(rubric) ?? rubric.criteria.map((one) => judgeOf(one, rubric));
  judges.set(rubric, known);
  return known;
}

/**
 * The metrics of runs with a rubric: the rubric score, its criteria, and the metrics common to all rubrics.
 * @example rubricMetrics(defaultRubric)[1]?.label // "Correct"
 */
export const rubricMetrics = (rubric: Rubric): readonly Metric[] => [
  rubricScore,
  ...criterionJudges(rubric).map(({ figures: [main] }) => main.metric),
  ...fixedMetrics.slice(1),
];

function judgeOf(criterion: Criterion, { criteria }: Rubric): CriterionJudge {
  const { id, question, about, better } = criterion;
  const ascending = gradesOf(criterion);
  const [low, high] = [ascending[0]!, ascending.at(-1)!];
  const grades = better === "higher" ? ([low, high] as const) : ([high, low] as const);
  const bestFirst = better === "higher" ? ascending.toReversed() : ascending;
  const label = labelOf(criterion);
  const judge = gradingJudge<CriterionJudgment, Material>({
    id,
    label,
    version: "1",
    scale: "ratio",
    grades,
    route: defaultModels.facts,
    // A criterion's id may equal the id of another suite's judge.
    routeName: "rubric",
    definition: definitionOf(criterion, criteria),
    rubric: {
      task: question,
      levels: bestFirst.map((grade, i) => [grade, earns(criterion, grade, i, bestFirst.length)]),
      rules: [...rules, ...criterion.examples.map(exampleText)],
      notAbout: ["anything that the question above does not ask"],
    },
    sections: [...shownParts.filter((part) => about.includes(part)), "answer" as const].map(
      sectionOf,
    ),
    judgment: judgmentSchema(bestFirst),
    emptyValue: 0,
    score: ({ score }) => gradeValue({ scale: "ratio", grades }, score),
    count: ({ evidence }, { occurs }) => ({
      invented: keepSupported(evidence, occurs, (words) => [words]).invented,
    }),
  });
  const [main, ...more] = judge.figures;
  // The value is a share of the scale, which is high for low grades.
  const shown = better === "higher" ? label : `${label} (inverted)`;
  const metric = { ...main.metric, label: shown, format: "percent" as const };
  const figures = [{ ...main, metric }, ...more];
  return { ...judge, grades, figures: figures as [(typeof figures)[0]] };
}

function definitionOf(criterion: Criterion, criteria: readonly Criterion[]): string {
  const grades = gradesOf(criterion);
  const [low, high] = [grades[0]!, grades.at(-1)!];
  const [worst, best] = criterion.better === "higher" ? [low, high] : [high, low];
  const all = criteria.reduce((sum, { weight }) => sum + weight, 0);
  return `${criterion.question} Mean over judged answers of the grade, from ${worst}, the worst, to ${best}, the best, as a share of this scale. Weight ${criterion.weight} of ${all}.`;
}

const rules = [
  "Give one of the grades above, and no other number.",
  "Copy into the evidence the words of the answer that decide the grade; leave it empty if what is missing decides.",
];

const exampleText = ({ answer, score, why }: Criterion["examples"][number]): string =>
  `An example: the answer ${JSON.stringify(answer)} has the grade ${score}${why === undefined ? "." : `, because: ${why}`}`;

/** The meaning of a grade; for a scale, only its ends have one, so other grades are numbered steps. */
function earns({ levels }: Criterion, grade: number, place: number, count: number): string {
  const level = levels?.find(({ score }) => score === grade);
  if (level !== undefined) return level.means;
  if (place === 0) return "The answer could not be better in what the question asks.";
  if (place === count - 1) return "The answer could not be worse in what the question asks.";
  return `Step ${count - 1 - place} of ${count - 1} from the worst grade to the best.`;
}

const textOf: { [Name in keyof Material]: (value: Material[Name]) => string } = {
  system: (text) => text ?? "none",
  history: (turns) => (turns.length === 0 ? "none" : JSON.stringify(turns, null, 1)),
  context: (text) => text ?? "none",
  query: (text) => text,
  reference: (text) => text ?? "none",
  answer: (text) => text,
};

const sectionOf = (name: keyof Material): SectionSource<Material> => ({
  name,
  textOf: (material) => (textOf[name] as (value: unknown) => string)(material[name]),
});

function judgmentSchema(bestFirst: readonly number[]) {
  const described = `One of, best first: ${bestFirst.join(", ")}`;
  return z.object({
    reasoning,
    evidence: texts("Words of the answer that decide the grade, copied"),
    score: z
      .number()
      .refine((score) => bestFirst.includes(score), {
        error: `must be one of ${bestFirst.join(", ")}`,
      })
      .meta({
        type: bestFirst.every(Number.isInteger) ? "integer" : "number",
        description: described,
      }),
  });
}
