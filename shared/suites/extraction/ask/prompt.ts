import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { ExtractionOptions } from "../options.ts";
import type { ExtractionSample } from "../sample.ts";

/**
 * The messages sent to a model for `sample`: the system prompt, unless it is empty, and the user prompt with `{text}`
 * and `{schema}` (2-space indented JSON) filled in. Filled-in text is never searched for placeholders.
 * Source: docs/spec/extraction.md, section 9.
 * @example extractionMessages(sample, options)[1].content // "Text:\n…"
 */
export function extractionMessages(
  sample: ExtractionSample,
  options: ExtractionOptions,
): ChatMessage[] {
  const { systemPrompt, userPrompt } = options;
  return [
    ...(systemPrompt === "" ? [] : [message("system", systemPrompt, sample)]),
    message("user", userPrompt, sample),
  ];
}

const message = (role: "system" | "user", template: string, sample: ExtractionSample) => ({
  role,
  content: filled(template, sample),
});

function filled(template: string, sample: ExtractionSample): string {
  return template.replace(/\{(text|schema)\}/g, (_, name) =>
    name === "text" ? sample.text : JSON.stringify(sample.schema, null, 2),
  );
}
