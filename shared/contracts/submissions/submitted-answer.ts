import { z } from "zod";
import {
  type Answer,
  emptyAnswer,
  errorClasses,
  meanConfidence,
  mostToolCalls,
  namedModel,
  type TurnStep,
} from "../answer.ts";
import { bounds, nameSchema } from "../bounds.ts";
import { pointerOf } from "../field-errors.ts";
import { isJsonObject } from "../json.ts";
import { givenJudgments, givenList, mostGivenRecords } from "../judging/given-judgments.ts";
import { findingSchema } from "../judging/judgment.ts";
import type { FieldError } from "../problem.ts";
import type { Suite } from "../suite.ts";
import { jsonFlaw } from "../text/well-formed.ts";

/** Tokens of one answer: more than any model generates. */
const mostTokens = 200_000;

/** Bounds of a conversation: its turns, and the requests of each. */
export const mostTurns = 50;
export const mostTurnSteps = 100;

const toolCallsSchema = z
  .array(
    z.strictObject({
      name: nameSchema,
      arguments: z
        .unknown()
        .nonoptional({ error: "must be an object, or its JSON as the model wrote it" })
        .superRefine((given, context) => {
          const flaw = jsonFlaw(given);
          if (flaw !== null) context.addIssue({ code: "custom", message: flaw });
        })
        .meta({ description: "an object, or the JSON text written by the model" }),
    }),
  )
  .max(mostToolCalls);

const outputSchema = z.string("must be a string: send JSON as text").max(bounds.text).nullish();

const turnStepSchema = z.strictObject({
  output: outputSchema,
  toolCalls: toolCallsSchema.nullish(),
  latencyMs: z.number().nonnegative().nullish(),
  inputTokens: z.int().nonnegative().nullish(),
  outputTokens: z.int().nonnegative().nullish(),
  cachedTokens: z.int().nonnegative().nullish(),
  reasoningTokens: z.int().nonnegative().nullish(),
});

const logprob = z.number().max(0);

const logprobsSchema = z.union(
  [
    z.array(logprob).max(mostTokens),
    z.object({ content: z.array(z.object({ logprob })).max(mostTokens).nullable() }),
  ],
  { error: "must be a list of numbers up to 0, or an object in OpenAI's format" },
);

/** A row has at least one of these fields. */
const given = ["output", "toolCalls", "turns", "refusal", "error"];

/**
 * An answer made elsewhere, as the API and the command line accept it. A null field counts as missing. An unknown
 * field is an error, because it may be a typo.
 */
export const submittedAnswerSchema = z
  .strictObject({
    id: nameSchema.meta({ description: "id of the sample in the dataset" }),
    output: outputSchema.meta({
      description:
        "complete output of the model; thoughts in it, such as text between `<think>` tags, are detected and not scored",
    }),
    thoughts: z.string().max(bounds.text).nullish().meta({
      description: "thoughts of the model, if the endpoint returned them separately",
    }),
    toolCalls: toolCallsSchema.nullish().meta({
      description:
        "functions that the model called, in order; rejected by suites that only read the output",
    }),
    turns: z.array(z.array(turnStepSchema).max(mostTurnSteps)).max(mostTurns).nullish().meta({
      description:
        "for a sample of several turns: by turn, the model's answers in order, each with its text and calls; results of tools are computed again",
    }),
    finishReason: nameSchema.nullish().meta({
      description: "finish reason, with OpenAI's values; `length`: the output is cut off",
    }),
    refusal: z.string().max(bounds.text).nullish().meta({ description: "text of the refusal" }),
    latencyMs: z.number().nonnegative().nullish(),
    inputTokens: z.int().nonnegative().nullish(),
    outputTokens: z.int().nonnegative().nullish(),
    reasoningTokens: z.int().nonnegative().nullish().meta({
      description: "number of output tokens that are thoughts",
    }),
    cachedTokens: z.int().nonnegative().nullish().meta({
      description: "number of input tokens read from a cache",
    }),
    audioTokens: z.int().positive().nullish().meta({
      description: "number of input tokens of a recording",
    }),
    source: nameSchema.nullish(),
    servedModel: nameSchema.nullish().meta({
      description: "model name in the endpoint's response, possibly with a date",
    }),
    confidence: z.number().min(0).max(1).nullish(),
    logprobs: logprobsSchema.nullish().meta({
      description:
        "log probabilities of the output tokens: numbers up to 0, or OpenAI's format; used to compute a confidence",
    }),
    error: z.string().max(bounds.message).nullish().meta({
      description: "reason for a missing answer: an error class such as `timeout`, or free text",
    }),
    rated: z.boolean().nullish().meta({
      description:
        "true: the dataset's `human` ratings, if they name no answer, belong to this answer",
    }),
    judgments: z
      .record(nameSchema, z.unknown(), { error: "must be an object of judgments by metric" })
      .nullish()
      .meta({
        description:
          'judgment by metric, or a list of judgments for a panel; used if `options.judge` is "recorded"; from an admin also in place of equal calls of the service\'s judges, by `key`',
      }),
    stages: z.record(nameSchema, findingSchema).nullish().meta({
      description: "with judgments: facts inferred about the sample before the model was called",
    }),
  })
  .refine((row) => given.some((name) => name in row), {
    error:
      "give output (what the model said, or null), toolCalls, turns, refusal or error (why there is none)",
  })
  .refine((row) => typeof row.output !== "string" || typeof row.error !== "string", {
    error: "give output or error, not both: a row with an error has no answer to score",
  })
  .meta({ id: "SubmittedAnswer" });
export type SubmittedAnswer = z.infer<typeof submittedAnswerSchema>;

/** Given token counts that are included in input or output tokens. */
const tokensApart = (row: SubmittedAnswer): Partial<Answer> =>
  Object.fromEntries(
    (["reasoningTokens", "cachedTokens", "audioTokens"] as const).flatMap((name) =>
      typeof row[name] === "number" ? [[name, row[name]]] : [],
    ),
  );

/**
 * Converts a submitted row to an answer; null and a row with an error are missing answers.
 * @example answerOf({ id: "a", output: "{}" }).output // "{}"
 * @example answerOf(null).error?.class // "not_submitted"
 */
export function answerOf(row: SubmittedAnswer | null): Answer {
  if (row === null) return notSubmitted;
  const whole = inTurns(row);
  const { latencyMs } = whole;
  if (typeof row.error === "string") return { ...missing(row.error), latencyMs };
  return {
    ...emptyAnswer,
    ...whole,
    ...(row.thoughts?.trim() && { thoughts: row.thoughts }),
    refusal: row.refusal ?? null,
    toolCalls: row.toolCalls?.map(({ name, arguments: its }) => ({ name, arguments: its })) ?? null,
    finishReason: row.finishReason ?? null,
    ...tokensApart(row),
    confidence: row.confidence ?? meanConfidence(tokensOf(row.logprobs)),
    source: row.source ?? null,
    ...namedModel(row.servedModel),
    ...(row.rated && { rated: true as const }),
    ...(row.judgments && { judgments: givenJudgments(row.judgments) }),
    ...(row.stages && { stages: row.stages }),
  };
}

/** The last text and the sums over a conversation's steps, unless the row itself has them. */
function inTurns({ turns, output, latencyMs, inputTokens, outputTokens }: SubmittedAnswer) {
  const steps = turns?.flat() ?? [];
  const apart = (["cachedTokens", "reasoningTokens"] as const).flatMap((name) =>
    steps.some((step) => step[name] != null)
      ? [[name, steps.reduce((sum, step) => sum + (step[name] ?? 0), 0)] as const]
      : [],
  );
  return {
    ...(Object.fromEntries(apart) as Pick<Answer, "cachedTokens" | "reasoningTokens">),
    output: output ?? steps.at(-1)?.output ?? null,
    ...(turns && { turns: turns.map((turn) => turn.map(stepOf)) }),
    latencyMs: latencyMs ?? sumOf(steps, "latencyMs"),
    inputTokens: inputTokens ?? sumOf(steps, "inputTokens"),
    outputTokens: outputTokens ?? sumOf(steps, "outputTokens"),
  };
}

type SubmittedStep = z.infer<typeof turnStepSchema>;

function stepOf({ output, toolCalls, ...step }: SubmittedStep): TurnStep {
  const { latencyMs = null, inputTokens = null, outputTokens = null } = step;
  const { cachedTokens, reasoningTokens } = step;
  return {
    output: output ?? null,
    toolCalls: toolCalls?.map(({ name, arguments: its }) => ({ name, arguments: its })) ?? null,
    latencyMs,
    inputTokens,
    outputTokens,
    ...(typeof cachedTokens === "number" && { cachedTokens }),
    ...(typeof reasoningTokens === "number" && { reasoningTokens }),
  };
}

/** Null unless every step has the number. */
function sumOf(
  steps: readonly SubmittedStep[],
  name: "latencyMs" | "inputTokens" | "outputTokens",
): number | null {
  if (steps.length === 0 || steps.some((step) => step[name] == null)) return null;
  return steps.reduce((sum, step) => sum + step[name]!, 0);
}

/**
 * Why a suite can't score a row's tool calls (it would read the row as an empty answer). Null if it can, or if there
 * are none: logs may have an empty list next to the output.
 * @example unreadToolCalls({ id: "a", toolCalls: [] }, slots) // "suite slots reads output, not toolCalls"
 */
export function unreadToolCalls(
  { toolCalls, turns, output }: SubmittedAnswer,
  { id, readsToolCalls }: Pick<Suite, "id" | "readsToolCalls">,
): string | null {
  if (turns && !readsToolCalls) return `suite ${id} reads output, not turns`;
  if (readsToolCalls || !toolCalls || (toolCalls.length === 0 && typeof output === "string")) {
    return null;
  }
  return `suite ${id} reads output, not toolCalls`;
}

/**
 * The first judgment in a row that a suite can't read, with a pointer into the row: the suite is not judged, the metric
 * is unknown (unless runs define their own metrics: another rubric may have it), or it is neither an object nor a list
 * of objects. Null if all judgments are readable or there are none.
 * @example unreadJudgments({ id: "a", judgments: { empathy: 4 } }, memory)?.pointer // "/judgments/empathy"
 */
export function unreadJudgments(
  { judgments }: SubmittedAnswer,
  { id, judging, withOptions }: Pick<Suite, "id" | "judging" | "withOptions">,
): FieldError | null {
  if (!judgments) return null;
  if (judging === undefined) {
    return { pointer: "/judgments", detail: `suite ${id} is not judged, and reads no judgments` };
  }
  const known = judging.judges.map((judge) => judge.id);
  for (const [metric, one] of Object.entries(judgments)) {
    const pointer = pointerOf(["judgments", metric]);
    // A judgment of a part of an answer has the key `metric/part`.
    const isKnown = known.some((name) => metric === name || metric.startsWith(`${name}/`));
    if (!isKnown && withOptions === undefined) {
      return { pointer, detail: `unknown metric; choose ${known.join(", ")}` };
    }
    const list = givenList(one).filter((record) => record !== null);
    if (!list.every(isJsonObject)) {
      return { pointer, detail: "must be a judgment, an object by its fields, or a list of them" };
    }
    if (list.length > mostGivenRecords) {
      return { pointer, detail: `must have at most ${mostGivenRecords} judgments` };
    }
  }
  return null;
}

const notSubmitted: Answer = {
  ...emptyAnswer,
  error: { class: "not_submitted", message: "no answer was submitted for this sample" },
};

function missing(message: string): Answer {
  const known = errorClasses.find((name) => name === message);
  return { ...emptyAnswer, error: { class: known ?? "missing_answer", message } };
}

const tokensOf = (logprobs: SubmittedAnswer["logprobs"]) =>
  Array.isArray(logprobs) ? logprobs : logprobs?.content?.map(({ logprob }) => logprob);
