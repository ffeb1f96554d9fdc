import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import type { ScoredSample, Suite } from "../../contracts/suite.ts";
import { callOf } from "../../measures/performance/call-totals.ts";
import { examples } from "./examples.ts";

/** The answer of a request that failed for good. */
export const failed: Answer = {
  ...emptyAnswer,
  error: { class: "timeout", message: "no answer" },
};

/** Example samples of a suite, and answers of every kind. */
export function suiteSamples(suite: Suite) {
  const { rows, malformed, perfect } = examples[suite.id]!;
  const samples = rows.map((row) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    return checked.value.sample;
  });
  const answers = [
    perfect(samples[0]),
    emptyAnswer,
    failed,
    perfect(samples.at(-1)),
    { ...emptyAnswer, output: "{}" },
  ];
  return { rows, malformed, perfect, samples, answers, options: suite.optionsSchema.parse({}) };
}

/** A sample with its scored answer, as part of a run. */
export function scoredSample(
  suite: Suite,
  options: unknown,
  sample: unknown,
  answer: Answer,
  seq: number,
): ScoredSample {
  const { id, tags } = suite.sampleHead(sample);
  const score = suite.score(sample, answer, options);
  return { seq, id, tags, score, call: callOf(answer) };
}
