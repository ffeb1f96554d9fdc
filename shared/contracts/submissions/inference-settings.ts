import { z } from "zod";
import { bounds, holdsMoreValues } from "../bounds.ts";
import { canonicalJson, contentHash } from "../content-hash.ts";
import type { Json } from "../json.ts";
import { isOpenRouter, type ProtocolName } from "./providers.ts";

/** Providers' names for how long a model should think. */
const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof efforts)[number];

/**
 * Additional body fields that a submission can set: they choose, seed or limit a model, and do not change the content
 * of the request.
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

/** Maximum length of the additional fields as JSON, and maximum number of values. */
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
      "further fields of the request body, such as OpenRouter's provider or vLLM's chat_template_kwargs",
    example: { provider: { order: ["groq"] } },
  });

/** How a model is called: part of the identity of the evaluated model. */
export const inferenceSettingsSchema = z
  .strictObject({
    reasoningEffort: z.enum(efforts).optional(),
    thinkingBudget: z.int().min(0).max(1_000_000).optional().meta({
      description: "maximum tokens of thoughts; Anthropic, Gemini and OpenRouter only",
    }),
    temperature: z.number().min(0).max(2).nullable().optional().meta({
      description: "temperature in place of the suite's; null: not sent",
    }),
    topP: z.number().min(0).max(1).optional(),
    seed: z
      .int()
      .nonnegative()
      .max(2 ** 31 - 1)
      .optional(),
    maxTokens: z.int().min(1).max(1_000_000).optional().meta({
      description: "maximum output tokens in place of the suite's",
    }),
    toolChoice: z.enum(["auto", "required"]).optional().meta({
      description: "whether the model must call one of the offered functions",
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
    description: "settings of the model; other settings make a separate entry on a board",
  });
export type InferenceSettings = z.infer<typeof inferenceSettingsSchema>;

/** Digits of a hash that replaces settings. */
const HASH = 8;
/** Maximum length of settings in a name, and of an additional field's value; longer ones are replaced by a hash. */
const MOST_LABEL = 90;
const MOST_SHOWN = 24;

const hashOf = (value: unknown): string => contentHash(value as Json).slice(0, HASH);

/**
 * Settings in words, as in a model's name; empty without settings. Equal settings have equal words.
 * @example settingsLabel({ reasoningEffort: "high", temperature: 0.7 }) // "high effort, temperature 0.7"
 */
export function settingsLabel(settings: InferenceSettings | undefined): string {
  if (settings === undefined) return "";
  const { extraBody = {}, ...others } = settings;
  const fields = Object.entries(extraBody).sort(([a], [b]) => (a < b ? -1 : 1));
  const label = [
    ...wordsOf(others),
    ...fields.map(([name, value]) => `${name} ${shown(value)}`),
  ].join(", ");
  return label.length <= MOST_LABEL ? label : `settings ${hashOf(settings)}`;
}

function wordsOf(settings: Omit<InferenceSettings, "extraBody">): string[] {
  const { reasoningEffort, thinkingBudget, temperature, topP, seed, maxTokens, toolChoice } =
    settings;
  const words: (string | false)[] = [
    reasoningEffort !== undefined && `${reasoningEffort} effort`,
    thinkingBudget !== undefined && `thinking ${thinkingBudget}`,
    temperature !== undefined &&
      (temperature === null ? "usual temperature" : `temperature ${temperature}`),
    topP !== undefined && `top-p ${topP}`,
    seed !== undefined && `seed ${seed}`,
    maxTokens !== undefined && `max ${maxTokens} tokens`,
    toolChoice !== undefined && `${toolChoice} calls`,
  ];
  return words.filter((word) => word !== false);
}

/** A value as text; a hash if it is long or has characters that could mislead readers. */
function shown(value: unknown): string {
  const text = canonicalJson(value as Json);
  return text.length <= MOST_SHOWN && /^[\x20-\x7e]*$/.test(text) ? text : hashOf(value);
}

/** Maximum length of settings in a slug; a hash replaces longer ones, and all with additional fields. */
const MOST_IN_SLUG = 28;

/**
 * Settings as the end of a slug; empty without settings. Only equal settings have equal ends.
 * @example settingsSlug({ reasoningEffort: "high" }) // "high-effort"
 */
export function settingsSlug(settings: InferenceSettings | undefined): string {
  const { extraBody = {}, ...others } = settings ?? {};
  const slug = wordsOf(others)
    .join("-")
    .replace(/[^a-z0-9.]+/g, "-");
  if (slug.length <= MOST_IN_SLUG && Object.keys(extraBody).length === 0) return slug;
  return `settings-${hashOf(settings)}`;
}

/**
 * A model's name with its settings, unless it has them already.
 * @example namedWith("Llama", { reasoningEffort: "high" }) // "Llama (high effort)"
 */
export function namedWith(name: string, settings: InferenceSettings | undefined): string {
  const label = settingsLabel(settings);
  return label === "" || name.endsWith(`(${label})`) ? name : `${name} (${label})`;
}

/**
 * Problems of settings that an interface can't send: they would be in the model's name without an effect.
 * @example settingsProblems({ seed: 1 }, "https://api.anthropic.com/v1", "messages")[0]?.path // "seed"
 */
export function settingsProblems(
  settings: InferenceSettings,
  baseUrl: string,
  protocol: ProtocolName,
): { path: keyof InferenceSettings; message: string }[] {
  const {
    thinkingBudget,
    seed,
    temperature,
    reasoningEffort,
    toolChoice,
    extraBody = {},
  } = settings;
  const isChat = protocol === "chat_completions";
  const isMessages = protocol === "messages";
  const takesBudget =
    isMessages || protocol === "generate_content" || (isChat && isOpenRouter(baseUrl));
  const own = ["reasoning", "thinking", "enable_thinking"].find((name) => name in extraBody);
  // Anthropic and DeepSeek accept a type of thinking in addition to an effort.
  const isKind = own === "thinking" && thinkingBudget === undefined && !hasBudget(extraBody[own]);
  const how = isMessages ? thinkingBy(settings) : null;
  const problems: [isWrong: boolean, path: keyof InferenceSettings, message: string][] = [
    [
      thinkingBudget !== undefined && !takesBudget,
      "thinkingBudget",
      "only Anthropic, Gemini and OpenRouter take a number of tokens: give reasoningEffort",
    ],
    [
      seed !== undefined && (isMessages || protocol === "responses"),
      "seed",
      `${protocol} has no seed: leave it out${isMessages ? "" : ", or name the protocol chat_completions"}`,
    ],
    [
      temperature != null && how !== null,
      "temperature",
      `can't be set together with a ${how}: Anthropic takes only its usual one then`,
    ],
    [
      toolChoice === "required" && how !== null,
      "toolChoice",
      `can't be required together with a ${how}: Anthropic refuses both`,
    ],
    [
      own !== undefined &&
        !isKind &&
        (reasoningEffort !== undefined || thinkingBudget !== undefined),
      "extraBody",
      `${own} says how to think, too: give either it, or reasoningEffort or thinkingBudget`,
    ],
  ];
  return problems.flatMap(([isWrong, path, message]) => (isWrong ? [{ path, message }] : []));
}

/** The setting that makes an Anthropic model think; null: none. */
function thinkingBy({ thinkingBudget = 0, reasoningEffort = "none" }: InferenceSettings) {
  if (thinkingBudget > 0) return "thinkingBudget";
  return reasoningEffort === "none" ? null : "reasoningEffort";
}

const hasBudget = (thinking: unknown): boolean =>
  typeof thinking === "object" && thinking !== null && "budget_tokens" in thinking;
