import {
  isJsonObject,
  type Json,
  type JsonObject,
  parsedJson,
} from "../../shared/contracts/json.ts";
import type { ParsedChat } from "../parse-chat.ts";

/** First line of a fence: a name, and a code that no text contains. */
const opening = /^<<<([\w-]+) ([0-9a-f]{16})$/m;

/**
 * The fenced parts of a text by name, with any content; null if there are none.
 * @example fencedPieces("<<<query 0123456789abcdef\nHi?\nquery 0123456789abcdef>>>") // { query: "Hi?" }
 */
export function fencedPieces(text: string): Readonly<Record<string, string>> | null {
  const code = opening.exec(text)?.[2];
  if (code === undefined) return null;
  const piece = new RegExp(`^<<<([\\w-]+) ${code}\\n([\\s\\S]*?)\\n\\1 ${code}>>>$`, "gm");
  return Object.fromEntries([...text.matchAll(piece)].map(([, name, inside]) => [name, inside]));
}

/** A request with fenced material and a schema for the answer. */
export interface FencedRequest {
  system: string;
  pieces: Readonly<Record<string, string>>;
  schema: JsonObject;
}

/** Parses a request with fenced material; null if it has none. Ignores later messages, such as a reply to repair. */
export function readFenced(request: ParsedChat): FencedRequest | null {
  const { messages } = request;
  const user = messages.find(({ role }) => role === "user")?.text ?? "";
  const pieces = fencedPieces(user);
  if (pieces === null) return null;
  const system = messages.find(({ role }) => role === "system")?.text ?? "";
  const schema = schemaOf(request);
  return schema === null ? null : { system, pieces, schema };
}

/** The schema of the structured-output mode, else of the system message. */
export function schemaOf({ schema, messages }: ParsedChat): JsonObject | null {
  if (isJsonObject(schema)) return schema;
  return schemaIn(messages.find(({ role }) => role === "system")?.text ?? "");
}

const beforeSchema = "JSON Schema";

/** The schema on the line after the last mention of one. */
function schemaIn(text: string): JsonObject | null {
  const mention = text.lastIndexOf(beforeSchema);
  const start = text.indexOf("{", Math.max(0, mention));
  if (mention < 0 || start < 0) return null;
  const value = parseOr(text.slice(start).split("\n", 1)[0] ?? "", null);
  return isJsonObject(value) ? value : null;
}

/** A text as JSON; `otherwise` if it is not JSON. */
export function parseOr(text: string | undefined, otherwise: Json): Json {
  // Missing parts are common, and throwing an error takes a hundred times as long as this check.
  if (!text) return otherwise;
  const value = parsedJson(text) as Json | undefined;
  return value === undefined ? otherwise : value;
}

/** The parsed material for a judge; missing parts are empty. */
export interface Material {
  query: string;
  answer: string;
  profile: Readonly<Record<string, string>>;
  keys: readonly string[];
  history: readonly { role: string; content: string }[];
  /** One good answer; empty if none is known. */
  reference: string;
  /** By name, 0–1. */
  emotion: Readonly<Record<string, number>>;
  traits: Readonly<Record<string, number>>;
}

/** Parses the material of judges of conversations. */
export function readMaterial(pieces: FencedRequest["pieces"]): Material {
  const keys = parseOr(pieces["keys"], []);
  const history = parseOr(pieces["history"], []);
  const profile = entriesOf(pieces["profile"], (fact) => String(fact));
  return {
    query: pieces["query"] ?? "",
    answer: pieces["answer"] ?? "",
    reference: pieces["reference"] === "none" ? "" : (pieces["reference"] ?? ""),
    profile,
    keys: Array.isArray(keys) ? keys.map(String) : Object.keys(profile),
    history: (Array.isArray(history) ? history : [])
      .filter(isJsonObject)
      .map(({ role, content }) => ({ role: String(role), content: String(content) })),
    emotion: entriesOf(pieces["emotion"], Number),
    traits: entriesOf(pieces["traits"], Number),
  };
}

function entriesOf<Value>(
  text: string | undefined,
  read: (value: Json) => Value,
): Record<string, Value> {
  const value = parseOr(text, null);
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, read(one)]));
}
