import type { Answer } from "../../../contracts/answer.ts";
import type { SampleScore } from "../../../contracts/suite.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { HumanRatings } from "../human-ratings.ts";
import { partIds } from "../metric-ids.ts";
import type { QualityOptions, Weights } from "../options.ts";
import { readText } from "../read/read-text.ts";
import type { QualitySample } from "../sample.ts";
import { type Coherence, coherence } from "./coherence.ts";
import { type Completeness, completeness } from "./completeness.ts";
import { type Language, languageOf } from "./language.ts";
import { type LengthFit, lengthFit } from "./length-fit.ts";
import { type Structure, structure } from "./structure.ts";
import { type Vocabulary, vocabulary } from "./vocabulary.ts";

/** What came back; `empty` is a content without a word. */
type ResponseStatus = "answered" | "refused" | "empty" | "error";

/** The five metrics with their components. */
interface Parts {
  coherence: Coherence;
  completeness: Completeness;
  length: LengthFit;
  structure: Structure;
  vocabulary: Vocabulary;
}

/** The scoring of one answer, as sample pages show it. */
export interface QualityDetail extends Parts {
  status: ResponseStatus;
  /** Whether the endpoint cut the response off at the token limit. */
  truncated: boolean;
  language: Language;
  /** 0–1. */
  overall: number;
  /** What people gave, where the dataset says so. */
  human?: HumanRatings;
}

/**
 * Scores one answer by its text alone: overall = 0.25 · coherence + 0.25 · completeness + 0.20 · length +
 * 0.15 · structure + 0.15 · vocabulary, 0–1, or by other weights. An answer that is refused or has no word
 * gets 0 everywhere; a request that failed the same, and is not covered. Any language gives a defined
 * result; what is mostly not in Latin letters is flagged. Never throws. Linear.
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
  if (sample.human) detail.human = sample.human;
  return { status: "scored", score: overall, covered: answer.error === null, detail };
}

function partsOf(prompt: string, text: string, { lengthRatio }: QualityOptions): Parts {
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

/** Held to 0–1: the weights sum to 1 only as closely as decimal fractions can. */
function overallOf(parts: Parts, weights: Weights): number {
  const sum = partIds.reduce((total, id) => total + weights[id] * parts[id].score, 0);
  return Math.min(sum, 1);
}

/** The text that earns something: none where a request failed or the model refused. */
function readable(answer: Answer): string {
  const { output, refusal, error } = withoutThoughts(answer);
  return error !== null || refusal ? "" : (output ?? "");
}

function statusOf({ error, refusal }: Answer, words: number): ResponseStatus {
  if (error !== null) return "error";
  if (refusal) return "refused";
  return words === 0 ? "empty" : "answered";
}
