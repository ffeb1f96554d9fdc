import { z } from "zod";
import { structuredModes } from "../../contracts/answer.ts";
import { bounds } from "../../contracts/bounds.ts";
import type { JudgeChoice } from "../../contracts/judging/judging.ts";
import { judgeName, judgeOptions } from "../../judges/judge-manner.ts";
import { repeatOptions } from "../../measures/passes/pass-metrics.ts";

/** Our own wording; the specification has no prompt. */
const defaultSystemPrompt =
  "You keep an assistant's memory of its user. From one conversation session you store what is worth remembering about the user as slots: a topic, a field, and one value or several. Store what the user states about themselves or confirms, as it stands at the end of the session. Do not store guesses, wishes and plans that no field asks for, what the user denies or only used to do, what is true of other people, or what the assistant alone says. Keep values short and in the user's words. Leave out every field that the session says nothing about.";

/** Our own wording; the specification has no prompt. */
const defaultUserPrompt =
  "Topics and their fields:\n{topics}\n\n{memory}Conversation session:\n{conversation}\n\n{format}";

/** Options of a run of this suite; an unknown option is an error. */
export const slotsOptionsSchema = z
  .strictObject({
    temperature: z.number().min(0).max(2).nullable().default(0),
    maxTokens: z.int().min(1).default(2048),
    ...repeatOptions(1),
    structuredOutput: z
      .enum(["auto", ...structuredModes])
      .default("auto")
      .meta({ description: "with the format `json`; lines are only requested in the prompt" }),
    format: z
      .enum(["json", "lines"])
      .default("json")
      .meta({ description: "json, or lines `topic::field::value, value`" }),
    memory: z.enum(["per_session", "cumulative"]).default("per_session").meta({
      description:
        "cumulative: a user's sessions run in order, and the model is given what it stored before",
    }),
    asciiOnly: z.boolean().default(true).meta({
      description:
        "values are compared without their non-ASCII characters; false keeps letters and digits of every script",
    }),
    systemPrompt: z.string().max(bounds.prompt).default(defaultSystemPrompt),
    userPrompt: z
      .string()
      .max(bounds.prompt)
      .default(defaultUserPrompt)
      .meta({ description: "{topics}, {memory}, {conversation} and {format} are filled in" }),
    judge: judgeName.nullable().default(null).meta({
      description:
        "a model, or provider:model, that rates each stored value against the expected one; null: no judge",
    }),
    ...judgeOptions,
  })
  .refine(
    ({ memory, systemPrompt, userPrompt }) =>
      memory === "per_session" || `${systemPrompt}${userPrompt}`.includes("{memory}"),
    {
      path: ["userPrompt"],
      error: 'must contain {memory} when "memory" is "cumulative", or nothing stored is ever shown',
    },
  );
export type SlotsOptions = z.infer<typeof slotsOptionsSchema>;

/** The default options. */
export const defaultOptions: SlotsOptions = slotsOptionsSchema.parse({});

/**
 * The judge of a run; null: none.
 * @example judgeChoice(defaultOptions) // null
 */
export function judgeChoice({
  judge,
  judges,
  strictness,
  judgeSeed,
}: Pick<SlotsOptions, "judge" | "judges" | "strictness" | "judgeSeed">): JudgeChoice | null {
  if (judge === null && judges.length === 0) return null;
  return { judge, judges, strictness, judgeSeed, judgeOverrides: {}, fallbackJudge: null };
}

/** Replacement of `{format}`: the required form of the slots. */
export const formatPrompts = {
  json: 'Answer with JSON alone: {"<topic>": {"<field>": "value" or ["value", "value"]}}. Answer {} if there is nothing to store.',
  lines:
    "Answer with one line for each slot and nothing else: topic::field::value, value. Answer NONE if there is nothing to store.",
} as const;

/** Replacement of `{memory}` if the model is shown the slots that it stored before. */
export const memoryPrompt =
  "Slots you stored in earlier sessions of this user:\n{stored}\n\nStore only what this session says: what is new, what has changed, what is said again.\n\n";
