import type { ChatMessage, ChatRequest } from "../contracts/chat-request.ts";
import { contentHash } from "../contracts/content-hash.ts";
import type { AskedJudge, Judge, Route, Section } from "../contracts/judging/judge.ts";
import { fenceSections } from "./fence.ts";
import { promptHash, systemPrompt } from "./judge-prompt.ts";
import { judgmentSchema } from "./judgment-schema.ts";

/** Output tokens: enough for dozens of claims with evidence, and for models that think before they write. */
const maxTokens = 4_096;

/** Maximum characters of an invalid reply that are shown again: more would only repeat the mistake. */
const maxShown = 4_000;

/**
 * The sections of the material that a judge sees.
 * @example sectionsShown(empathy, exchange)[0].name // "query"
 */
export const sectionsShown = ({ sections }: AskedJudge, material: unknown): Section[] =>
  sections.map(({ name, textOf }) => ({ name, text: textOf(material) }));

/**
 * The request to a judge about one answer: temperature 0, with the judgment's schema as structured output. If an
 * endpoint rejects the schema, it is asked for plain JSON; the prompt also contains the schema.
 * Source: docs/spec/memory.md, judges.
 * @example judgeRequest(empathy, exchange).messages.length // 2
 */
export function judgeRequest(judge: AskedJudge, material: unknown): ChatRequest {
  const shown = fenceSections(sectionsShown(judge, material));
  return {
    messages: [
      { role: "system", content: systemPrompt(judge) },
      { role: "user", content: `${shown}\n\nJudge the answer now, as you were told.` },
    ],
    structured: { name: judge.id, schema: judgmentSchema(judge), mode: "auto" },
    temperature: 0,
    ...(judge.seed !== undefined && { seed: judge.seed }),
    maxTokens,
  };
}

/**
 * The single request after an invalid reply: the first request again, with the reply and its errors. If this fails
 * too, the answer is unjudged.
 * Source: docs/spec/memory.md, judges.
 * @example repairRequest(first, "{}", "/empathy_score: must be a number").messages.length // 4
 */
export function repairRequest(first: ChatRequest, reply: string, flaws: string): ChatRequest {
  const shown = reply.length > maxShown ? `${reply.slice(0, maxShown)}…` : reply;
  const repair: ChatMessage[] = [
    // Some endpoints reject an empty message.
    { role: "assistant", content: shown.trim() === "" ? "(nothing)" : shown },
    {
      role: "user",
      content: `That is no judgment by the schema: ${flaws}. Reply again with the JSON object alone, every property in its place and within its limits.`,
    },
  ];
  return { ...first, messages: [...first.messages, ...repair] };
}

/**
 * Cache key of a judgment, 64 hex digits: SHA-256 of the judge's model, its instructions and the material. A re-run
 * pays only for what changed.
 * Source: docs/spec/memory.md, judges.
 * @example judgmentKey(empathy, { provider: "openai", model: "gpt-4o" }, exchange).length // 64
 */
export function judgmentKey(judge: Judge, { provider, model }: Route, material: unknown): string {
  if (judge.kind === "embeddings") {
    const { id, version } = judge;
    return contentHash({ provider, model, id, version, texts: [...judge.texts(material)] });
  }
  const shown = sectionsShown(judge, material).map(({ name, text }) => [name, text]);
  return contentHash({ provider, model, prompt: promptHash(judge), shown });
}
