import { isJsonObject, type Json } from "../../../contracts/json.ts";

/** Elements of a list, characters of a text and levels of nesting that are kept for readers. */
const most = { items: 64, chars: 2_000, depth: 6 } as const;

/**
 * A JSON value cut down to what a page shows: lists and objects to 64 entries, texts to 2,000 characters,
 * six levels deep.
 * @example boundedJson("x".repeat(3_000)) // "xxx…"
 */
export function boundedJson(value: Json, depth = 0): Json {
  if (typeof value === "string") {
    return value.length <= most.chars ? value : `${value.slice(0, most.chars)}…`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= most.depth) return null;
  if (Array.isArray(value)) {
    return value.slice(0, most.items).map((item) => boundedJson(item, depth + 1));
  }
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).slice(0, most.items);
  return Object.fromEntries(entries.map(([name, one]) => [name, boundedJson(one, depth + 1)]));
}
