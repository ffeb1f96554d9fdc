import type { Answer } from "../../../contracts/answer.ts";
import type { StageFindings } from "../../../contracts/judgment.ts";
import type { Result } from "../../../contracts/result.ts";
import type { Exchange } from "../../../judges/exchange.ts";
import { withoutThoughts } from "../../../measures/thoughts/without-thoughts.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { fuseEmotions, readMix } from "./emotions.ts";
import { readPersonality } from "./personality.ts";
import type { Findings } from "./prompt.ts";

/**
 * What the person reads: the content, or else the words of a refusal. Empty where a request failed.
 * @example answerText({ ...emptyAnswer, refusal: "I can't." }) // "I can't."
 */
function answerText({
  output,
  refusal,
  error,
}: Pick<Answer, "output" | "refusal" | "error">): string {
  if (error !== null) return "";
  return output === null || output.trim() === "" ? (refusal ?? "") : output;
}

/**
 * Emotion and character as prompt and judges see them: what the sample has goes before what was found out.
 * Source: docs/spec/memory.md, generation.
 * @example findingsOf(sample, {}, options).personality // the sample's
 */
export function findingsOf(
  { emotion, personality }: Pick<MemorySample, "emotion" | "personality">,
  stages: StageFindings,
  weights: Pick<MemoryOptions, "speechWeight" | "textWeight">,
): Findings {
  const found = <Value>(id: string, read: (value: unknown) => Result<Value, string>) => {
    const value = read(stages[id]?.value);
    return value.ok ? value.value : null;
  };
  const speech = emotion.speech ?? found("speech_emotion", readMix);
  const text = emotion.text ?? found("text_emotion", readMix);
  return {
    fused: fuseEmotions(speech, text, weights),
    personality: personality ?? found("personality", readPersonality),
  };
}

/**
 * A sample and its answer as judges see them.
 * @example exchangeOf(sample, answer, options).query === sample.query // true
 */
export function exchangeOf(
  sample: MemorySample,
  answer: Answer,
  options: Pick<MemoryOptions, "speechWeight" | "textWeight">,
): Exchange {
  const { fused, personality } = findingsOf(sample, answer.stages ?? {}, options);
  return {
    query: sample.query,
    answer: answerText(withoutThoughts(answer)),
    memory: sample.memory,
    requiredKeys: sample.required_keys,
    forbiddenKeys: sample.forbidden_keys,
    neutralKeys: sample.neutral_keys,
    emotion: fused,
    personality,
    history: sample.history,
  };
}
