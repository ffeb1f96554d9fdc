import { z } from "zod";
import { type Answer, emptyAnswer, type ToolCall } from "#shared/contracts/answer.ts";

const count = z.int().nonnegative().nullish().catch(null);

/** Some servers give the text in parts, those of its reasoning among them. */
const contentParts = z
  .array(z.looseObject({ type: z.string(), text: z.string().optional() }))
  .transform((parts) => parts.map(({ type, text = "" }) => (type === "text" ? text : "")).join(""));

/** The parts of a chat completion that are read; servers differ in all others. */
const completionSchema = z.object({
  model: z.string().optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), contentParts]).nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
            .nullish()
            .catch(null),
        }),
        logprobs: z
          .object({ content: z.array(z.object({ logprob: z.number() })).nullish() })
          .nullish()
          .catch(null),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
  source: z.string().nullish().catch(null),
  confidence: z.number().nullish().catch(null),
});

/** Reads a chat completion; null when the body is none. */
export function readCompletion(body: unknown, sourceHeader: string | null): Answer | null {
  const parsed = completionSchema.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice) return null;
  const { usage, source, confidence, model } = parsed.data;
  return {
    ...emptyAnswer,
    ...(model !== undefined && { servedModel: model }),
    output: choice.message.content ?? null,
    refusal: choice.message.refusal ?? null,
    toolCalls: choice.message.tool_calls?.map((call) => toolCall(call.function)) ?? null,
    finishReason: choice.finish_reason ?? null,
    inputTokens: usage?.prompt_tokens ?? null,
    outputTokens: usage?.completion_tokens ?? null,
    confidence: confidence ?? meanConfidence(choice.logprobs?.content),
    source: sourceHeader ?? source ?? null,
  };
}

/** exp of the mean token logprob; null without tokens. */
function meanConfidence(tokens: { logprob: number }[] | null | undefined): number | null {
  if (!tokens || tokens.length === 0) return null;
  return Math.exp(tokens.reduce((sum, token) => sum + token.logprob, 0) / tokens.length);
}

function toolCall(call: { name: string; arguments: unknown }): ToolCall {
  if (typeof call.arguments !== "string") return { name: call.name, arguments: call.arguments };
  try {
    return { name: call.name, arguments: JSON.parse(call.arguments) };
  } catch {
    return { name: call.name, arguments: call.arguments };
  }
}
