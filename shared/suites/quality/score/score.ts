import type { Answer } from "../../../contracts/answer.ts";
import { labelsOf } from "../../../contracts/judging/rating.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import { partIds, type QualityMetric } from "../metrics.ts";
import type { QualityOptions, Weights } from "../options.ts";
import { readText } from "../read/read-text.ts";
import type { HumanRatings, QualitySample } from "../sample.ts";
import { coherence } from "./coherence.ts";
import { completeness } from "./completeness.ts";
import { structure } from "./structure.ts";
import { vocabulary } from "./vocabulary.ts";

/** Status of the answer; `empty`: it has no words. */
type ResponseStatus = "answered" | "refused" | "empty" | "error";

/** The five metrics with their components. */
type Parts = ReturnType<typeof partsOf>;

/** The scoring of one answer, as sample pages show it. */
export interface QualityDetail extends Parts {
  status: ResponseStatus;
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  language: Language;
  /** 0–1. */
  overall: number;
  /** People's ratings, if the dataset has ratings of this response. */
  human?: HumanRatings;
}

/**
 * Scores one answer by its text alone: overall = 0.25 · coherence + 0.25 · completeness + 0.20 · length +
 * 0.15 · structure + 0.15 · vocabulary, 0–1, or with other weights. A refused answer or one without words scores 0 in
 * every metric; so does a failed request, which is also not covered. The result is defined for any language; mostly
 * non-Latin text is flagged. Never throws. Linear.
 * Source: docs/spec/quality.md.
 * @example scoreQuality(sample, { ...emptyAnswer, output: "Cats sleep." }, options).score // 0–1
 */
export function scoreQuality(
  sample: QualitySample,
  answer: Answer,
  options: QualityOptions,
): SampleScore<QualityDetail> {
  const text = readable(answer);
  const parts = partsOf(sample.prompt, text, options);
  const overall = overallOf(parts, options.weights);
  const detail: QualityDetail = {
    status: statusOf(answer, parts.length.responseWords),
    truncated: answer.finishReason === "length",
    language: languageOf(text),
    overall,
    ...parts,
  };
  const human = labelsOf(sample.human, answer);
  if (human !== undefined) detail.human = human;
  return { status: "scored", score: overall, covered: answer.error === null, detail };
}

function partsOf(prompt: string, text: string, { lengthRatio }: QualityOptions) {
  const asked = readText(prompt);
  const response = readText(text);
  return {
    coherence: coherence(response),
    completeness: completeness(asked, response),
    length: lengthFit(asked.words.length, response.words.length, lengthRatio),
    structure: structure(text, response, asked),
    vocabulary: vocabulary(response.words),
  };
}

/** Limited to 0–1, because decimal weights do not sum exactly to 1. */
function overallOf(parts: Parts, weights: Weights): number {
  const sum = partIds.reduce((total, id) => total + weights[id] * parts[id].score, 0);
  return Math.min(sum, 1);
}

/** The text that is scored: empty if the request failed or the model refused. */
function readable(answer: Answer): string {
  const { output, refusal, error } = withoutThoughts(answer);
  return error !== null || refusal ? "" : (output ?? "");
}

function statusOf({ error, refusal }: Answer, words: number): ResponseStatus {
  if (error !== null) return "error";
  if (refusal) return "refused";
  return words === 0 ? "empty" : "answered";
}

/** Whether the metrics, which are designed for English, are meaningful for a text. */
type Language = "supported" | "unsupported";

const letters = /\p{L}+/gu;
const otherLetters = /(?:(?!\p{Script=Latin})\p{L})+/gu;

/**
 * `unsupported` for a text most of whose letters are not Latin; a text without letters is `supported`.
 * Other languages in Latin letters are not distinguished from English. Linear.
 * Source: docs/spec/quality.md.
 * @example languageOf("Привет, Ada") // "unsupported"
 */
export function languageOf(text: string): Language {
  return count(text, otherLetters) > count(text, letters) / 2 ? "unsupported" : "supported";
}

function count(text: string, pattern: RegExp): number {
  let total = 0;
  for (const [run] of text.matchAll(pattern)) total += countCodePoints(run);
  return total;
}

/** How well the length of a response suits its prompt. */
interface LengthFit {
  /** 0–1. */
  score: number;
  promptWords: number;
  responseWords: number;
  /** `lengthRatio` · words of the prompt. */
  idealWords: number;
}

/**
 * How close the length of a response is to `ratio` times the length of its prompt, in words, 0–1:
 * max(0, 1 − |ln(response / (ratio · prompt))|). 0 if either has no word.
 * Source: docs/spec/quality.md, length.
 * @example lengthFit(3, 8, 2.5).score // 0.935…
 */
export function lengthFit(promptWords: number, responseWords: number, ratio: number): LengthFit {
  const idealWords = ratio * promptWords;
  const isEmpty = promptWords === 0 || responseWords === 0;
  const score = isEmpty ? 0 : Math.max(0, 1 - Math.abs(Math.log(responseWords / idealWords)));
  return { score, promptWords, responseWords, idealWords };
}

/**
 * An answer's contribution to each metric by which runs are compared, the headline first.
 * Source: docs/spec/quality.md, overall.
 * @example sampleValues(score).overall // 0–1
 */
export function sampleValues({
  detail,
}: SampleScore<QualityDetail>): Record<QualityMetric, number> {
  const parts = partIds.map((id) => [id, detail[id].score]);
  return { overall: detail.overall, ...Object.fromEntries(parts) };
}
