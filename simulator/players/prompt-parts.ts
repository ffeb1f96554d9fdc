import type { Json } from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";

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
