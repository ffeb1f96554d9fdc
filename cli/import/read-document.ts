import { isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { readText } from "../files/open-file.ts";

/** Reads a file that is one JSON object. `advice`: hint for the error. Throws BadInput. */
export function readDocument(path: string, advice = ""): JsonObject {
  const value = parsePython(readText(path).replace(/^\ufeff/, ""), path, advice);
  if (isJsonObject(value)) return value;
  throw new BadInput(`${path}: it is not a JSON object${advice}`);
}

/** Parses JSON written by Python; NaN and Infinity are read as null. Throws BadInput with `place`. */
export function parsePython(text: string, place: string, advice = ""): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const mended = withoutNaN(text);
    try {
      return JSON.parse(mended) as Json;
    } catch {
      throw new BadInput(`${place}: not JSON: ${(error as Error).message}${advice}`);
    }
  }
}

/** Replaces NaN and Infinity outside of strings by null. Linear time. */
function withoutNaN(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    if (char !== CAPITAL_N && char !== CAPITAL_I) continue;
    const word = ["NaN", "Infinity"].find((one) => text.startsWith(one, at));
    if (word === undefined) continue;
    parts.push(text.slice(kept, text[at - 1] === "-" ? at - 1 : at), "null");
    at += word.length - 1;
    kept = at + 1;
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(kept);
}

const [QUOTE, BACKSLASH, CAPITAL_N, CAPITAL_I] = [0x22, 0x5c, 0x4e, 0x49];

/** The index of the closing quote of the string that starts at `from`, or the text's length. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
