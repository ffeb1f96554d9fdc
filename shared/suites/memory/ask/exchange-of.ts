import type { Answer } from "../../../contracts/answer.ts";
import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { StageFindings } from "../../../contracts/judging/judgment.ts";
import type { Result } from "../../../contracts/result.ts";
import type { Step, UnitTask } from "../../../contracts/runs/unit.ts";
import { answerText, type Exchange } from "../../../judges/exchange.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { type Emotion, type EmotionMix, emotions, fuseEmotions, readMix } from "./emotions.ts";
import { type Personality, readPersonality, traits } from "./personality.ts";

/**
 * Emotion and character as shown to the model and judges: facts of the sample take precedence over inferred ones.
 * Source: docs/spec/memory.md, generation.
 * @example findingsOf(sample, {}, options).personality // the sample's
 */
function findingsOf(
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
 * A sample and its answer as shown to judges.
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
    answer: answerText(answer),
    memory: sample.memory,
    requiredKeys: sample.required_keys,
    forbiddenKeys: sample.forbidden_keys,
    neutralKeys: sample.neutral_keys,
    emotion: fused,
    personality,
    history: sample.history,
  };
}

/** Results of the stages before the answer. */
interface Findings {
  fused: Readonly<EmotionMix>;
  personality: Personality | null;
}

/**
 * The messages for the model under test: a system message with the stored facts as `- key: value` lines, the
 * fused emotion and the traits; the history; the query.
 * Source: docs/spec/memory.md, generation.
 * @example adviceMessages(sample, { fused, personality: null }, options).at(-1)?.content // the query
 */
function adviceMessages(
  { query, memory, history }: Pick<MemorySample, "query" | "memory" | "history">,
  findings: Findings,
  { systemPrompt }: Pick<MemoryOptions, "systemPrompt">,
): ChatMessage[] {
  const parts: Record<string, string> = {
    profile: profileLines(memory),
    emotion: emotionText(findings.fused),
    traits: traitsText(findings.personality),
  };
  // In one pass, so that a fact containing {traits} is not replaced.
  const system = systemPrompt.replace(/\{(profile|emotion|traits)\}/g, (_, name) => parts[name]!);
  return [{ role: "system", content: system }, ...history, { role: "user", content: query }];
}

/** A fact is written on one line, so that no part of it looks like another fact. */
function profileLines(memory: Readonly<Record<string, string>>): string {
  const oneLine = (text: string) => text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ").trim();
  const lines = Object.entries(memory).map(([key, fact]) => `- ${oneLine(key)}: ${oneLine(fact)}`);
  return lines.length === 0 ? "(nothing)" : lines.join("\n");
}

/** Emotions with their shares, strongest first. */
function emotionText(mix: Readonly<EmotionMix>): string {
  return [...emotions]
    .sort((a: Emotion, b: Emotion) => mix[b] - mix[a])
    .map((emotion) => `${emotion} ${mix[emotion].toFixed(2)}`)
    .join(", ");
}

function traitsText(personality: Personality | null): string {
  if (personality === null) return "unknown";
  return traits.map((trait) => `${trait} ${personality[trait].toFixed(2)}`).join(", ");
}

/**
 * The question, with stored and inferred facts about the person.
 * Source: docs/spec/memory.md, generation.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options, findings = [] }: UnitTask<MemorySample, MemoryOptions>,
  replies: readonly Answer[],
): Step {
  const sample = samples[0]!;
  const [answer] = replies;
  if (answer !== undefined) return { kind: "done", answers: [answer] };
  const messages = adviceMessages(sample, findingsOf(sample, findings[0] ?? {}, options), options);
  const { temperature, maxTokens } = options;
  return { kind: "ask", request: { messages, temperature, maxTokens } };
}
