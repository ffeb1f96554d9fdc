import type { Answer } from "#shared/contracts/answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { readJudgment } from "#shared/judges/read-judgment.ts";

/**
 * Which judgments that came with an answer are none by their metric's fields, and so count for nothing; where
 * the suite reads none, as of an empty answer, none is named. Never throws.
 * @example judgmentFlaws(memory, sample, answer, options) // ["the judgment of empathy is left out: /empathy_score: …"]
 */
export function judgmentFlaws(
  { judging }: Pick<Suite, "judging">,
  sample: unknown,
  answer: Answer,
  options: unknown,
): string[] {
  const { judgments } = answer;
  if (judging === undefined || judgments === undefined) return [];
  return judging.tasks(sample, answer, options).flatMap(({ name, judge }) => {
    const records = Object.hasOwn(judgments, name) ? judgments[name]! : [];
    return records.flatMap(({ judge: by, judgment, unjudged }) => {
      if (unjudged !== null) return [];
      const read = readJudgment(judge, judgment);
      const its = by === null ? name : `${name} by ${by}`;
      return read.ok ? [] : [`the judgment of ${its} is left out: ${read.error}`];
    });
  });
}
