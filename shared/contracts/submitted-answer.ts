import { z } from "zod";
import { type Answer, emptyAnswer, errorClasses } from "./answer.ts";

const logprobsSchema = z.union([
  z.array(z.number()),
  z.object({ content: z.array(z.object({ logprob: z.number() })).nullable() }),
]);

/**
 * An answer made elsewhere, as the API and the command line take it. A field that is null counts as
 * left out. Suites may take more fields than these.
 */
export const submittedAnswerSchema = z
  .looseObject({
    id: z.string().meta({ description: "id of the dataset's sample" }),
    output: z.string().nullish(),
    latencyMs: z.number().nonnegative().nullish(),
    inputTokens: z.int().nonnegative().nullish(),
    outputTokens: z.int().nonnegative().nullish(),
    source: z.string().nullish(),
    confidence: z.number().nullish(),
    logprobs: logprobsSchema.nullish().meta({
      description:
        "of the output's tokens, a list of numbers or as OpenAI gives them; become a confidence",
    }),
    error: z.string().nullish().meta({
      description: "why no answer could be had: an error class such as `timeout`, or any words",
    }),
  })
  .refine((row) => ["output", "error", "toolCalls"].some((name) => name in row), {
    error: "give output (what the model said, or null) or error (why there is none)",
  })
  .meta({ id: "SubmittedAnswer" });
export type SubmittedAnswer = z.infer<typeof submittedAnswerSchema>;

/**
 * A submitted row as an answer; null, and a row with an error, is an answer that could not be had.
 * @example answerOf({ id: "a", output: "{}" }).output // "{}"
 * @example answerOf(null).error?.class // "missing_answer"
 */
export function answerOf(row: SubmittedAnswer | null): Answer {
  if (row === null) return missing("no answer was submitted for this sample");
  const latencyMs = row.latencyMs ?? null;
  if (typeof row.error === "string") return { ...missing(row.error), latencyMs };
  return {
    ...emptyAnswer,
    output: row.output ?? null,
    latencyMs,
    inputTokens: row.inputTokens ?? null,
    outputTokens: row.outputTokens ?? null,
    confidence: row.confidence ?? meanConfidence(row.logprobs),
    source: row.source ?? null,
  };
}

function missing(message: string): Answer {
  const known = errorClasses.find((name) => name === message);
  return { ...emptyAnswer, error: { class: known ?? "missing_answer", message } };
}

/** exp of the mean logprob, 0–1; null without tokens. */
function meanConfidence(logprobs: SubmittedAnswer["logprobs"]): number | null {
  const tokens = Array.isArray(logprobs)
    ? logprobs
    : logprobs?.content?.map((token) => token.logprob);
  if (tokens === undefined || tokens.length === 0) return null;
  return Math.exp(tokens.reduce((sum, logprob) => sum + logprob, 0) / tokens.length);
}
