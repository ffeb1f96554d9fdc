import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { defaultOptions, type QualityOptions } from "../options.ts";
import type { QualitySample } from "../sample.ts";
import { type QualityDetail, scoreQuality } from "../score/score.ts";

/** A sample with `prompt`. */
export const aSample = (prompt: string, parts: Partial<QualitySample> = {}): QualitySample => ({
  id: "s1",
  prompt,
  tags: {},
  ...parts,
});

/** An answer with `output` as its content. */
export const anAnswer = (output: string | null, parts: Partial<Answer> = {}): Answer => ({
  ...emptyAnswer,
  output,
  ...parts,
});

/** What `response` to `prompt` earns. */
export const detailOf = (
  prompt: string,
  response: string,
  options: Partial<QualityOptions> = {},
): QualityDetail =>
  scoreQuality(aSample(prompt), anAnswer(response), { ...defaultOptions, ...options }).detail;
