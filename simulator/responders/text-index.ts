import { type Json, parsedJson } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { textKey } from "./responder.ts";

/** Length of the prefix by which texts are searched inside longer ones. */
const anchorLength = 24;

/** A number below 65,536 for four characters of a text: it excludes most places at which no anchor begins. */
const markAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 3 +
    text.charCodeAt(at + 1) * 131 +
    text.charCodeAt(at + 2) * 1_031 +
    text.charCodeAt(at + 3) * 7_919) &
  0xffff;

/** Indexes items by SHA-256 of their text, and by its prefix for texts inside prompts. */
export function indexTexts<Item extends { text: string }>(items: readonly Item[]) {
  const byKey = Map.groupBy(items, ({ text }) => textKey(text));
  const long = items.filter(({ text }) => text.length >= anchorLength);
  const byAnchor = Map.groupBy(long, ({ text }) => text.slice(0, anchorLength));
  const marks = new Uint8Array(0x10000);
  for (const anchor of byAnchor.keys()) marks[markAt(anchor, 0)] = 1;
  const short = items.filter(({ text }) => text.length > 0 && text.length < anchorLength);
  const exact = (text: string): readonly Item[] => byKey.get(textKey(text)) ?? [];
  return {
    /** The items whose text is exactly `text`. */
    exact,
    /** The items with the longest text that occurs in `text`. Linear in its length. */
    within(text: string): readonly Item[] {
      const found = short.filter((item) => text.includes(item.text));
      for (let at = 0; at + anchorLength <= text.length; at += 1) {
        if (marks[markAt(text, at)] === 0) continue;
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

/** The text inside an extraction prompt; null for another prompt. */
export function promptText(prompt: string): string | null {
  const start = prompt.indexOf(beforeText);
  const end = prompt.lastIndexOf(beforeSchema);
  return start < 0 || end < start ? null : prompt.slice(start + beforeText.length, end);
}

/** The schema of the structured-output mode, else the one inside the prompt. */
export function askedSchema({ schema, userText }: ParsedChat): Json | undefined {
  if (schema !== undefined) return schema;
  const start = userText.lastIndexOf(beforeSchema);
  if (start < 0) return undefined;
  const [text = ""] = userText.slice(start + beforeSchema.length).split(afterSchema);
  return parsedJson(text) as Json | undefined;
}
