import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { Json } from "../../../contracts/json.ts";
import { formatPrompts, memoryPrompt, type SlotsOptions } from "../options.ts";
import type { SlotsSample } from "../sample.ts";

/**
 * The two messages a model is sent for a session, with `{topics}`, `{memory}`, `{conversation}` and
 * `{format}` filled in; filled-in text is never searched for placeholders. `stored` is what the model stored in
 * the user's earlier sessions, as text; null if memory is kept per session.
 * Source: docs/spec/slots.md, data.
 * @example slotsMessages(sample, options, null)[1].content // "Topics and their fields:\n…"
 */
export function slotsMessages(
  sample: SlotsSample,
  options: SlotsOptions,
  stored: string | null,
): ChatMessage[] {
  const parts: Record<string, () => string> = {
    topics: () => topicsText(sample.topics),
    conversation: () => sample.turns.map(({ role, content }) => `${role}: ${content}`).join("\n"),
    memory: () => (stored === null ? "" : memoryPrompt.replace("{stored}", () => stored)),
    format: () => formatPrompts[options.format],
  };
  const filled = (template: string) =>
    template.replace(/\{(topics|conversation|memory|format)\}/g, (_, name) => parts[name]!());
  return [
    { role: "system", content: filled(options.systemPrompt) },
    { role: "user", content: filled(options.userPrompt) },
  ];
}

const topicsText = (topics: SlotsSample["topics"]): string =>
  Object.entries(topics)
    .map(([topic, fields]) => `- ${topic}: ${fields.join(", ")}`)
    .join("\n");

/**
 * The prompt without the session: the templates, and the texts for format and memory.
 * @example promptParts(defaultOptions) // { system: "…", user: "…", format: "…", memory: null }
 */
export function promptParts({ systemPrompt, userPrompt, format, memory }: SlotsOptions): Json {
  return {
    system: systemPrompt,
    user: userPrompt,
    format: formatPrompts[format],
    memory: memory === "cumulative" ? memoryPrompt : null,
  };
}
