import { type Answer, emptyAnswer } from "../../../contracts/answer.ts";
import type { Json } from "../../../contracts/json.ts";
import type { SampleScore, ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import type { ExtractionSample } from "../sample.ts";
import type { MatchRules } from "../score/composite.ts";
import { type FieldNode, fieldTree, type ListNode } from "../score/fields/field-tree.ts";
import { type ExtractionDetail, isScored, scoreExtraction } from "../score/score.ts";

export const defaultRules: MatchRules = {
  caseSensitive: false,
  normalizeWhitespace: true,
  coerceTypes: false,
  numericTolerance: 0.001,
};

export function aSample(expected: Json, part: Partial<ExtractionSample> = {}): ExtractionSample {
  return { id: "s1", text: "", schema: {}, expected_output: expected, tags: {}, ...part };
}

export function anAnswer(output: string | null, part: Partial<Answer> = {}): Answer {
  return { ...emptyAnswer, output, attempts: 1, ...part };
}

export function aField(value: Json): FieldNode {
  return fieldTree(value) as FieldNode;
}

export function aList(value: Json[]): ListNode {
  return fieldTree(value) as ListNode;
}

export function detailOf(
  expected: Json,
  predicted: Json,
  part: Partial<ExtractionSample> = {},
  options: Partial<ExtractionOptions> = {},
): ExtractionDetail {
  const answer = anAnswer(JSON.stringify(predicted));
  return scored(aSample(expected, part), answer, { ...defaultOptions, ...options }).detail;
}

/** Like `scoreExtraction`, for an answer that can be scored. */
export function scored(
  sample: ExtractionSample,
  answer: Answer,
  options: ExtractionOptions = defaultOptions,
): SampleScore<ExtractionDetail> {
  const score = scoreExtraction(sample, answer, options);
  if (!isScored(score)) throw new Error(`unscored: ${JSON.stringify(score.detail)}`);
  return score;
}

export function aScored(
  seq: number,
  sample: ExtractionSample,
  answer: Answer,
): ScoredSample<ExtractionDetail> {
  const call = callOf(answer);
  const score = scored(sample, answer);
  return { seq, id: sample.id, tags: sample.tags, score, call };
}
