import type { Answer } from "#shared/contracts/answer.ts";
import type { Judge } from "#shared/contracts/judging/judge.ts";
import type { JudgmentRecord } from "#shared/contracts/judging/judgment.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { isOfAnotherRubric } from "#shared/judges/judge-prompt.ts";
import { readJudgment } from "#shared/judges/read-judgment.ts";

/** An answer with its valid judgments. */
interface CheckedJudgments {
  answer: Answer;
  /** Errors of left-out judgments, a sentence each. */
  flaws: string[];
}

/**
 * Leaves out an answer's invalid judgments with reasons. If the suite reads no judgments, for example for an empty
 * answer, all are kept. Never throws.
 * @example checkJudgments(memory, sample, answer, options).flaws // ["the judgment of empathy is left out: /empathy_score: …"]
 */
export function checkJudgments(
  suite: Pick<Suite, "judging" | "withOptions">,
  sample: unknown,
  answer: Answer,
  options: unknown,
): CheckedJudgments {
  const { judgments } = answer;
  if (suite.judging === undefined || judgments === undefined) return { answer, flaws: [] };
  const kept: Record<string, JudgmentRecord[]> = { ...judgments };
  const tasks = suite.judging.tasks(sample, answer, options);
  const flaws = tasks.flatMap(({ name, judge }) => {
    const records = Object.hasOwn(judgments, name) ? judgments[name]! : [];
    kept[name] = records.filter((record) => !isOfAnotherRubric(suite, judge, record));
    return records.flatMap((record) => {
      const flaw = isOfAnotherRubric(suite, judge, record)
        ? "it was made by another rubric: have the answers judged again"
        : invalidity(judge, record);
      return flaw === null ? [] : [`the judgment of ${nameOf(name, record)} is left out: ${flaw}`];
    });
  });
  const unknown = Object.keys(judgments).filter(
    (name) => suite.judging?.judges.some(({ id }) => id === name) === false,
  );
  const others = suite.withOptions === undefined ? [] : unknown;
  return {
    answer: { ...answer, judgments: kept },
    flaws: [
      ...flaws,
      ...others.map(
        (name) => `the judgment of ${name} is left out: the rubric has no such criterion`,
      ),
    ],
  };
}

function invalidity(judge: Judge, { judgment, unjudged }: JudgmentRecord): string | null {
  if (unjudged !== null) return null;
  const read = readJudgment(judge, judgment);
  return read.ok ? null : read.error;
}

const nameOf = (name: string, { judge }: JudgmentRecord) =>
  judge === null ? name : `${name} by ${judge}`;
