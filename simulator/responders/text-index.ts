import type { Json } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { textKey } from "./responder.ts";

/** Characters of a text's start by which it is looked for inside a longer one. */
const anchorLength = 24;

/** Indexes items by SHA-256 of their text, and by its first characters for texts inside prompts. */
export function indexTexts<Item extends { text: string }>(items: readonly Item[]) {
  const byKey = Map.groupBy(items, ({ text }) => textKey(text));
  const long = items.filter(({ text }) => text.length >= anchorLength);
  const byAnchor = Map.groupBy(long, ({ text }) => text.slice(0, anchorLength));
  const short = items.filter(({ text }) => text.length > 0 && text.length < anchorLength);
  const exact = (text: string): readonly Item[] => byKey.get(textKey(text)) ?? [];
  return {
    /** The items whose text is exactly `text`. */
    exact,
    /** The items whose text occurs in `text`, the longest such text. Linear in the length of `text`. */
    within(text: string): readonly Item[] {
      const found = short.filter((item) => text.includes(item.text));
      for (let at = 0; at + anchorLength <= text.length; at += 1) {
        const candidates = byAnchor.get(text.slice(at, at + anchorLength));
        if (candidates) found.push(...candidates.filter((item) => text.startsWith(item.text, at)));
      }
      const longest = found.toSorted((a, b) => b.text.length - a.text.length)[0];
      return longest === undefined ? [] : exact(longest.text);
    },
  };
}

const beforeText = "Text:\n";
const beforeSchema = "\n\nExtract information according to this JSON schema:\n";
const afterSchema = "\n\nOutput valid JSON";

/** The text inside an extraction prompt; null when `prompt` is none. */
export function promptText(prompt: string): string | null {
  const start = prompt.indexOf(beforeText);
  const end = prompt.lastIndexOf(beforeSchema);
  return start < 0 || end < start ? null : prompt.slice(start + beforeText.length, end);
}

/** The schema to answer by: that of the structured-output mode, else that inside the prompt. */
export function askedSchema({ schema, userText }: ParsedChat): Json | undefined {
  if (schema !== undefined) return schema;
  const start = userText.lastIndexOf(beforeSchema);
  if (start < 0) return undefined;
  const [text = ""] = userText.slice(start + beforeSchema.length).split(afterSchema);
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
