import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { givenJudgments } from "../../../contracts/judging/given-judgments.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { type RubricOptions, rubricOptionsSchema } from "../options.ts";
import { checkSample, type RubricSample } from "../sample.ts";
import { type RubricDetail, scoreRubric } from "../score/score.ts";

/** A checked sample. */
export function aSample(more: Record<string, unknown> = {}): RubricSample {
  const checked = checkSample({ id: "tap", query: "How do I stop a dripping tap?", ...more });
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}

/** Options with a rubric of three criteria: one with levels, one with a scale, one where lower is better. */
export const optionsWith = (
  more: Record<string, unknown> = {},
  rubric: Record<string, unknown> = {},
): RubricOptions =>
  rubricOptionsSchema.parse({ rubric: { name: "Support", criteria, ...rubric }, ...more });

/** The criteria of these options as in a rubric file. */
export const criteria = [
  {
    id: "accurate",
    question: "Is it right?",
    weight: 2,
    levels: [
      { score: 0, means: "No." },
      { score: 1, means: "In part." },
      { score: 4, means: "Yes." },
    ],
    examples: [{ answer: "Paint it.", score: 0, why: "Paint stops no drip." }],
  },
  { id: "kind", label: "Kindness", question: "Is it kind?", scale: { min: 1, max: 5 } },
  { id: "errors", question: "How many errors?", scale: { min: 0, max: 4 }, better: "lower" },
];

/** Judgments with these grades, and the same quotation in each. */
export const graded = (grades: Readonly<Record<string, number>>, words = "washer") =>
  Object.fromEntries(
    Object.entries(grades).map(([id, score]) => [
      id,
      { reasoning: `${id}: ${score}`, evidence: [words], score },
    ]),
  );

/** An answer with judgments made elsewhere. */
export const anAnswer = (
  judgments: Readonly<Record<string, unknown>>,
  more: Partial<Answer> = {},
): Answer => ({
  ...emptyAnswer,
  output: "Turn off the water, and replace the washer.",
  judgments: givenJudgments(judgments),
  ...more,
});

/** A scored answer of a run. */
export function scored(
  seq: number,
  answer: Answer,
  options: RubricOptions,
  sample: Record<string, unknown> = {},
): ScoredSample<RubricDetail> {
  const its = aSample({ id: `s${seq}`, ...sample });
  const score = scoreRubric(its, answer, options);
  return { seq, id: its.id, tags: its.tags, score, call: callOf(answer) };
}
