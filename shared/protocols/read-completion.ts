import { z } from "zod";
import { type Answer, emptyAnswer, meanConfidence } from "../contracts/answer.ts";
import { finishReasonOf } from "./finish-reason.ts";
import { toolCalls } from "./tool-calls.ts";

/** A number of tokens. */
export const count = z.int().nonnegative().nullish().catch(null);

/** A part of a text or of thoughts; servers use several names for its text. */
const fieldsOfPart = z.looseObject({
  type: z.string().nullish(),
  text: z.string().nullish().catch(null),
  summary: z.string().nullish().catch(null),
  thinking: z
    .union([z.string(), z.array(z.looseObject({ text: z.string().nullish().catch(null) }))])
    .nullish()
    .catch(null),
  /** Google's flag for a thought. */
  thought: z.boolean().nullish().catch(null),
});
type Part = z.infer<typeof fieldsOfPart>;
const partSchema = z.union([fieldsOfPart, z.string().transform((text): Part => ({ text }))]);

const parts = z.array(partSchema);
/** A text that a server may omit. */
export const optionalText = z.string().nullish().catch(null);

/** Fields that servers use for thoughts outside of the content; most fill only one. */
const thoughtFields = {
  reasoning_content: optionalText,
  reasoning: optionalText,
  reasoning_details: parts.nullish().catch(null),
  thinking: optionalText,
  thinking_blocks: parts.nullish().catch(null),
};

const functionSchema = z.object({ name: z.string(), arguments: z.unknown().optional() });

const messageSchema = z.object({
  content: z.union([z.string(), parts]).nullish(),
  ...thoughtFields,
  refusal: optionalText,
  tool_calls: z
    .array(z.object({ function: functionSchema }).nullable().catch(null))
    .nullish()
    .catch(null),
  // Used by older servers.
  function_call: functionSchema.nullish().catch(null),
});
type Message = z.infer<typeof messageSchema>;
const noMessage: Message = {};

/** The refusal for an answer that the provider's filter removed completely; null for any other answer. */
export const filterRefusal = (
  finish: string | null | undefined,
  said: string | null,
  calls: readonly unknown[],
) =>
  finish === "content_filter" && (said ?? "").trim() === "" && calls.length === 0
    ? "the provider's content filter stopped the answer"
    : null;

/** The fields of a chat completion that Assay reads; servers differ in the others. */
const completionSchema = z.object({
  model: z.string().optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: optionalText,
        message: messageSchema.optional(),
        logprobs: z
          .object({ content: z.array(z.object({ logprob: z.number() })).nullish() })
          .nullish()
          .catch(null),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      reasoning_tokens: count,
      cached_tokens: count,
      prompt_cache_hit_tokens: count,
      prompt_tokens_details: z
        .object({ cached_tokens: count, audio_tokens: count })
        .nullish()
        .catch(null),
      completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  source: z.string().nullish().catch(null),
  confidence: z.number().nullish().catch(null),
});

/** Parses a chat completion; null if the body is not one. */
export function readCompletion(body: unknown, sourceHeader: string | null): Answer | null {
  const parsed = completionSchema.safeParse(body);
  const choice = parsed.data?.choices[0];
  // Azure omits the message if its filter stopped the answer.
  const message =
    choice?.message ?? (choice?.finish_reason === "content_filter" ? noMessage : undefined);
  if (!parsed.success || !choice || !message) return null;
  const { usage, source, confidence, model } = parsed.data;
  const { content } = message;
  const thoughts = thoughtsOf(message);
  const counted = tokensOf(usage);
  const output = Array.isArray(content) ? content.map(saidIn).join("") : (content ?? null);
  return {
    ...emptyAnswer,
    ...(model !== undefined && { servedModel: model }),
    output,
    ...(thoughts !== "" && { thoughts }),
    refusal: message.refusal || filterRefusal(choice.finish_reason, output, callsIn(message)),
    toolCalls: toolCalls(callsIn(message)),
    finishReason: choice.finish_reason == null ? null : finishReasonOf(choice.finish_reason),
    ...counted,
    confidence:
      confidence ?? meanConfidence(choice.logprobs?.content?.map(({ logprob }) => logprob)),
    source: sourceHeader ?? source ?? null,
  };
}

function callsIn({ tool_calls: calls, function_call: single }: Message) {
  const named = (calls ?? []).flatMap((call) => (call === null ? [] : [call.function]));
  return named.length === 0 && single ? [single] : named;
}

/**
 * Token counts. Google bills thoughts as output but does not include them in the completion's count: their number is
 * total − prompt − completion.
 */
function tokensOf(usage: z.infer<typeof completionSchema>["usage"]) {
  const { prompt_tokens: input = null, completion_tokens: said = null } = usage ?? {};
  const known = usage?.completion_tokens_details?.reasoning_tokens ?? usage?.reasoning_tokens;
  const hidden = Math.max(0, (usage?.total_tokens ?? 0) - (input ?? 0) - (said ?? 0));
  const isHidden = input !== null && said !== null && hidden > 0;
  const reasoningTokens = known ?? (isHidden ? hidden : null);
  const cachedTokens =
    usage?.prompt_tokens_details?.cached_tokens ??
    usage?.prompt_cache_hit_tokens ??
    usage?.cached_tokens;
  const audioTokens = usage?.prompt_tokens_details?.audio_tokens;
  return {
    inputTokens: input,
    outputTokens: isHidden ? said + hidden : said,
    ...(reasoningTokens !== null && { reasoningTokens }),
    ...(cachedTokens != null && { cachedTokens }),
    ...(audioTokens && { audioTokens }),
  };
}

/** The first non-empty field, because several fields may have the same text. */
function thoughtsOf(message: Message): string {
  const { content, reasoning_content, reasoning, reasoning_details, thinking } = message;
  const inContent = Array.isArray(content) ? content : [];
  const known = [
    reasoning_content,
    reasoning,
    thinking,
    reasoning_details?.map(thoughtIn).join(""),
    message.thinking_blocks?.map(thoughtIn).join(""),
    inContent.filter(isThought).map(thoughtIn).join(""),
  ];
  return known.find((text) => text && text.trim() !== "") ?? "";
}

const isThought = ({ type, thought, thinking }: Part): boolean =>
  thought === true ||
  typeof thinking === "string" ||
  Array.isArray(thinking) ||
  type === "reasoning";

function thoughtIn({ text, summary, thinking }: Part): string {
  if (Array.isArray(thinking)) return thinking.map((part) => part.text ?? "").join("");
  return thinking ?? text ?? summary ?? "";
}

const saidIn = (part: Part): string =>
  /^(output_)?text$/.test(part.type ?? "text") && !isThought(part) ? (part.text ?? "") : "";
