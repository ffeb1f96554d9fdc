import { z } from "zod";
import { mostToolCalls } from "#shared/contracts/answer.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { type JsonObject, textOrJson } from "#shared/contracts/json.ts";
import { quoted, TargetFailure } from "./target-failure.ts";

const count = z.int().nonnegative().nullish();
const calledSchema = z.object({ name: z.string(), arguments: z.unknown().optional() });
const callSchema = z.union(
  [calledSchema, z.object({ function: calledSchema }).transform((call) => call.function)],
  { error: "must be a call {name, arguments}" },
);

/** An answer in the format of programs. Other fields are ignored. */
const answerSchema = z.object({
  text: z.unknown().optional(),
  content: z.unknown().optional(),
  tool_calls: z.array(callSchema).max(mostToolCalls).nullish(),
  thoughts: z.string().nullish(),
  refusal: z.string().nullish(),
  finish_reason: z.string().nullish(),
  model: z.string().nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      reasoning_tokens: count,
      cached_tokens: count,
    })
    .nullish(),
  error: z.unknown().optional(),
});
type TargetAnswer = z.infer<typeof answerSchema>;

/** Ignores an empty or false error, which many interfaces have in every answer. */
export const isError = (error: unknown): boolean =>
  error != null && error !== "" && error !== false;

/** Converts an answer to a chat completion. Throws a `TargetFailure` if it reports an error or is empty. */
export function chatCompletionOf(given: JsonObject): JsonObject {
  const parsed = answerSchema.safeParse(given);
  if (!parsed.success) {
    const [error] = fieldErrors(parsed.error.issues, given);
    throw new TargetFailure(502, `the answer is malformed: ${error?.pointer} ${error?.detail}`);
  }
  const answer = parsed.data;
  if (isError(answer.error)) throw new TargetFailure(500, textOrJson(answer.error));
  const text = answer.text ?? answer.content ?? null;
  const calls = answer.tool_calls ?? [];
  const isAnswered = ["text", "content", "tool_calls", "refusal"].some((name) => name in given);
  if (!isAnswered) {
    throw new TargetFailure(
      502,
      `the answer has neither text (or content), tool_calls, refusal nor error: ${quoted(JSON.stringify(given))}`,
    );
  }
  const message = {
    role: "assistant",
    content: text === null ? null : textOrJson(text),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    ...(answer.thoughts && { reasoning_content: answer.thoughts }),
    ...(answer.refusal && { refusal: answer.refusal }),
  };
  const finish = answer.finish_reason ?? (calls.length > 0 ? "tool_calls" : "stop");
  return {
    object: "chat.completion",
    ...(answer.model && { model: answer.model }),
    choices: [{ index: 0, message, finish_reason: finish }],
    ...(answer.usage && { usage: usageOf(answer.usage) }),
    ...(answer.confidence != null && { confidence: answer.confidence }),
  };
}

const callOf = ({ name, arguments: input }: z.infer<typeof calledSchema>, i: number) => ({
  id: `call_${i}`,
  type: "function",
  function: { name, arguments: textOrJson(input ?? {}) },
});

function usageOf(usage: NonNullable<TargetAnswer["usage"]>): JsonObject {
  const { input_tokens: input, output_tokens: output, reasoning_tokens, cached_tokens } = usage;
  return {
    prompt_tokens: input ?? null,
    completion_tokens: output ?? null,
    ...(reasoning_tokens != null && { completion_tokens_details: { reasoning_tokens } }),
    ...(cached_tokens != null && { prompt_tokens_details: { cached_tokens } }),
  };
}
