import { z } from "zod";
import { bounds, holdsMoreValues } from "../bounds.ts";
import { contentHash } from "../content-hash.ts";
import type { Json } from "../json.ts";

/** How long a model is to think, as providers name it. */
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/**
 * Further fields of a request's body that a submission may set: what chooses, seeds or limits a model, nothing that
 * would change what is asked.
 */
const extraFields: ReadonlySet<string> = new Set([
  "provider",
  "reasoning",
  "reasoning_format",
  "thinking",
  "enable_thinking",
  "include_reasoning",
  "chat_template_kwargs",
  "service_tier",
  "verbosity",
  "top_k",
  "top_a",
  "min_p",
  "repetition_penalty",
  "safetySettings",
]);

/** Longest JSON of the further fields, and most values in it. */
const MOST_CHARACTERS = 4_000;
const MOST_VALUES = 200;

const extraBodySchema = z
  .record(z.string().meta({ maxLength: bounds.name }), z.unknown())
  .superRefine((extra, context) => {
    for (const name of Object.keys(extra).filter((one) => !extraFields.has(one))) {
      const message = `can't be set; there is ${[...extraFields].join(", ")}`;
      context.addIssue({ code: "custom", path: [name.slice(0, bounds.name)], message });
    }
  })
  .refine(
    (extra) => {
      const text = JSON.stringify(extra);
      return text.length <= MOST_CHARACTERS && !holdsMoreValues(text, MOST_VALUES);
    },
    { error: `must be at most ${MOST_CHARACTERS} characters of JSON with ${MOST_VALUES} values` },
  )
  .meta({
    maxProperties: extraFields.size,
    description:
      "further fields of the body, such as OpenRouter's provider or vLLM's chat_template_kwargs",
    example: { provider: { order: ["groq"] } },
  });

/** How a model is asked, apart from what it is asked: part of the identity of what is evaluated. */
export const inferenceSettingsSchema = z
  .strictObject({
    reasoningEffort: z.enum(efforts).optional(),
    thinkingBudget: z.int().min(0).max(1_000_000).optional().meta({
      description: "tokens; Anthropic, Gemini and OpenRouter",
    }),
    temperature: z.number().min(0).max(2).nullable().optional().meta({
      description: "instead of the suite's; null: not sent",
    }),
    topP: z.number().min(0).max(1).optional(),
    seed: z
      .int()
      .nonnegative()
      .max(2 ** 31 - 1)
      .optional(),
    maxTokens: z.int().min(1).max(1_000_000).optional().meta({
      description: "instead of the suite's",
    }),
    extraBody: extraBodySchema.optional(),
  })
  .refine(
    ({ reasoningEffort, thinkingBudget }) =>
      reasoningEffort === undefined || thinkingBudget === undefined,
    { path: ["thinkingBudget"], error: "give either reasoningEffort or thinkingBudget" },
  )
  .meta({
    id: "InferenceSettings",
    description: "a model with other settings is another entry of a board, named by them",
  });
export type InferenceSettings = z.infer<typeof inferenceSettingsSchema>;

/**
 * Settings in words, as in a model's name; empty for none.
 * @example settingsLabel({ reasoningEffort: "high", temperature: 0.7 }) // "high effort, temperature 0.7"
 */
export function settingsLabel(settings: InferenceSettings | undefined): string {
  if (settings === undefined) return "";
  const { reasoningEffort, thinkingBudget, temperature, topP, seed, maxTokens, extraBody } =
    settings;
  const parts: (string | false)[] = [
    reasoningEffort !== undefined && `${reasoningEffort} effort`,
    thinkingBudget !== undefined && `thinking ${thinkingBudget}`,
    temperature !== undefined &&
      (temperature === null ? "usual temperature" : `temperature ${temperature}`),
    topP !== undefined && `top-p ${topP}`,
    seed !== undefined && `seed ${seed}`,
    maxTokens !== undefined && `max ${maxTokens} tokens`,
    ...Object.entries(extraBody ?? {}).map(([name, value]) => `${name} ${shown(value)}`),
  ];
  return parts.filter((part) => part !== false).join(", ");
}

/** Longest value that is shown; others by their hash. */
const MOST_SHOWN = 24;
const HASH = 6;

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length <= MOST_SHOWN ? text : contentHash(value as Json).slice(0, HASH);
}

/** Longest settings in a slug; longer ones by their hash. */
const MOST_IN_SLUG = 28;

/**
 * Settings as the end of a slug; empty for none. Equal settings have equal ends.
 * @example settingsSlug({ reasoningEffort: "high" }) // "high-effort"
 */
export function settingsSlug(settings: InferenceSettings | undefined): string {
  const label = settingsLabel(settings);
  const slug = label
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-|-$/g, "");
  if (slug.length <= MOST_IN_SLUG) return slug;
  return `settings-${contentHash(settings as Json).slice(0, HASH + 2)}`;
}

/**
 * A model's name with its settings, unless it has them already.
 * @example namedWith("Llama", { reasoningEffort: "high" }) // "Llama (high effort)"
 */
export function namedWith(name: string, settings: InferenceSettings | undefined): string {
  const label = settingsLabel(settings);
  return label === "" || name.endsWith(`(${label})`) ? name : `${name} (${label})`;
}
