import type { Route } from "../contracts/judge.ts";

/**
 * The models that judge where nobody names others, under their dated names where providers give them: an
 * alias may be moved to another model, and then scores move with it.
 * Source: specification of the memory suite, router.
 */
export const defaultModels = {
  opus: { provider: "anthropic", model: "claude-opus-4-5-20251101" },
  gpt4o: { provider: "openai", model: "gpt-4o-2024-11-20" },
  gpt52: { provider: "openai", model: "gpt-5.2-2025-12-11" },
  gemini: { provider: "google", model: "gemini-2.0-flash-001" },
  speech: { provider: "openai", model: "gpt-4o-mini-tts" },
  hearing: { provider: "openai", model: "gpt-4o-audio-preview" },
  embedding: { provider: "openai", model: "text-embedding-3-small" },
} as const satisfies Record<string, Route>;
