import type { Route } from "../contracts/judging/judge.ts";
import type { Prices } from "../contracts/submissions/prices.ts";

/** A default judge, and how long its provider offers it. */
interface DefaultModel extends Route {
  label: string;
  /** Day of the provider's shutdown (ISO 8601); null: none announced. */
  ends: string | null;
  /** USD per million tokens of input, output, and input that is a recording. */
  price: readonly [input: number, output: number, audio?: number];
  /** Source of the dates. */
  source: string;
}

/** Day of the last comparison of this table with the providers' pages. */
export const checkedOn = "2026-11-23";

/**
 * The default models by what they judge, used if neither deployment nor run names others. Names are dated if the
 * provider offers dated names: an alias may move to another model, which would change scores.
 * Source: docs/spec/memory.md, router; the providers' pages on models and deprecations.
 */
export const defaultModelTable = {
  /** Facts and safety. */
  facts: {
    provider: "anthropic",
    model: "claude-opus-5-5",
    label: "Claude Opus 5.5",
    ends: null,
    price: [4, 20],
    source: "platform.claude.com, model pages; replaces claude-opus-4-5-20251101, a legacy model",
  },
  /** Tone and form. */
  tone: {
    provider: "openai",
    model: "gpt-6-luna",
    label: "GPT-6 Luna",
    ends: null,
    price: [0.1, 0.5],
    source: "OpenAI deprecations: named in place of gpt-4o-2024-11-20, which ends on 2027-01-14",
  },
  logic: {
    provider: "openai",
    model: "gpt-6.1-terra",
    label: "GPT-6.1 Terra",
    ends: null,
    price: [1, 5],
    source: "OpenAI model pages; replaces gpt-5.2-2025-12-11, whose family ends from 2026-12-11 on",
  },
  continuity: {
    provider: "google",
    model: "gemini-3.8-flash",
    label: "Gemini 3.8 Flash",
    ends: null,
    price: [0.75, 3.75],
    source:
      "Google Cloud guide to 3.8 Flash; replaces gemini-2.0-flash-001, shut down on 2026-06-01",
  },
  /** Text to speech for queries; OpenAI offers no other model at `/audio/speech`. */
  speech: {
    provider: "openai",
    model: "gpt-4o-mini-tts",
    label: "GPT-4o mini TTS",
    ends: "2027-01-06",
    price: [0.6, 12],
    source: "OpenAI deprecations; OpenAI model pages: text in, audio tokens out",
  },
  /** Recognises emotions in a recording. */
  hearing: {
    provider: "openai",
    model: "gpt-audio-1.5",
    label: "GPT Audio 1.5",
    ends: null,
    price: [2.5, 10, 32],
    source: "OpenAI model pages; replaces gpt-4o-audio-preview, shut down on 2026-07-23",
  },
  embedding: {
    provider: "openai",
    model: "text-embedding-3-small",
    label: "text-embedding-3-small",
    ends: null,
    price: [0.02, 0],
    source: "OpenAI model pages",
  },
} as const satisfies Record<string, DefaultModel>;

type Role = keyof typeof defaultModelTable;

const routeOf = ({ provider, model }: Route): Route => ({ provider, model });

/** The default models as routes, by what they judge. */
export const defaultModels = Object.fromEntries(
  Object.entries(defaultModelTable).map(([role, its]) => [role, routeOf(its)]),
) as Record<Role, Route>;

/** Prices of the default models, by model; a deployment's own come first. */
export const defaultPrices: Readonly<Record<string, Prices>> = Object.fromEntries(
  Object.values(defaultModelTable).map(({ model, price: [input, output, audio] }: DefaultModel) => [
    model,
    {
      inputPerMillion: input,
      outputPerMillion: output,
      ...(audio !== undefined && { audioPerMillion: audio }),
    },
  ]),
);
