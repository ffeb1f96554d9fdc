import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";
import { type Emotion, type EmotionMix, emotions } from "./emotions.ts";
import { type Personality, traits } from "./personality.ts";

/** What the stages before the answer found. */
export interface Findings {
  fused: Readonly<EmotionMix>;
  personality: Personality | null;
}

/**
 * What the model under test is shown: a system message with the stored facts as `- key: value` lines, the
 * fused emotion and the traits; the history; the query.
 * Source: docs/spec/memory.md, generation.
 * @example adviceMessages(sample, { fused, personality: null }, options).at(-1)?.content // the query
 */
export function adviceMessages(
  { query, memory, history }: Pick<MemorySample, "query" | "memory" | "history">,
  findings: Findings,
  { systemPrompt }: Pick<MemoryOptions, "systemPrompt">,
): ChatMessage[] {
  const parts: Record<string, string> = {
    profile: profileLines(memory),
    emotion: emotionText(findings.fused),
    traits: traitsText(findings.personality),
  };
  // In one pass, so that a fact that reads {traits} stays as it is.
  const system = systemPrompt.replace(/\{(profile|emotion|traits)\}/g, (_, name) => parts[name]!);
  return [{ role: "system", content: system }, ...history, { role: "user", content: query }];
}

/** A fact of several lines stays one line, so that none of it can pass for another fact. */
function profileLines(memory: Readonly<Record<string, string>>): string {
  const oneLine = (text: string) => text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ").trim();
  const lines = Object.entries(memory).map(([key, fact]) => `- ${oneLine(key)}: ${oneLine(fact)}`);
  return lines.length === 0 ? "(nothing)" : lines.join("\n");
}

/** Strongest first. */
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
