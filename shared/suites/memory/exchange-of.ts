import type { Answer } from "../../contracts/answer.ts";
import type { Exchange } from "../../judges/exchange.ts";
import { fuseEmotions } from "./emotions.ts";
import type { JudgedAnswer, StageFindings } from "./judged-answer.ts";
import type { MemoryOptions } from "./options.ts";
import type { Findings } from "./prompt.ts";
import type { MemorySample } from "./sample.ts";

/**
 * What the person reads: the content, or else the words of a refusal. Empty where a request failed.
 * @example answerText({ ...emptyAnswer, refusal: "I can't." }) // "I can't."
 */
function answerText({ output, refusal, error }: Answer): string {
  if (error !== null) return "";
  return output === null || output.trim() === "" ? (refusal ?? "") : output;
}

/**
 * Emotion and character as prompt and judges see them: what the sample has goes before what was found out.
 * Source: specification of the memory suite, generation.
 * @example findingsOf(sample, null, options).personality // the sample's
 */
export function findingsOf(
  { emotion, personality }: Pick<MemorySample, "emotion" | "personality">,
  stages: Pick<StageFindings, "emotion" | "personality"> | null,
  weights: Pick<MemoryOptions, "speechWeight" | "textWeight">,
): Findings {
  const text = emotion.text ?? stages?.emotion ?? null;
  return {
    fused: fuseEmotions(emotion.speech, text, weights),
    personality: personality ?? stages?.personality ?? null,
  };
}

/**
 * A sample and its answer as judges see them.
 * @example exchangeOf(sample, answer, options).query === sample.query // true
 */
export function exchangeOf(
  sample: MemorySample,
  answer: JudgedAnswer,
  options: Pick<MemoryOptions, "speechWeight" | "textWeight">,
): Exchange {
  const { fused, personality } = findingsOf(sample, answer.stages ?? null, options);
  return {
    ...{ query: sample.query, answer: answerText(answer), memory: sample.memory },
    requiredKeys: sample.required_keys,
    forbiddenKeys: sample.forbidden_keys,
    neutralKeys: sample.neutral_keys,
    ...{ emotion: fused, personality, history: sample.history },
  };
}
