import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import { defaultOptions, type QualityOptions } from "../options.ts";
import type { QualitySample } from "../sample.ts";
import { type QualityDetail, scoreQuality } from "../score/score.ts";

export const aSample = (prompt: string, parts: Partial<QualitySample> = {}): QualitySample => ({
  id: "s1",
  prompt,
  tags: {},
  ...parts,
});

export const anAnswer = (output: string | null, parts: Partial<Answer> = {}): Answer => ({
  ...emptyAnswer,
  output,
  ...parts,
});

/** The detail of `response` to `prompt`. */
export const detailOf = (
  prompt: string,
  response: string,
  options: Partial<QualityOptions> = {},
): QualityDetail =>
  scoreQuality(aSample(prompt), anAnswer(response), { ...defaultOptions, ...options }).detail;
