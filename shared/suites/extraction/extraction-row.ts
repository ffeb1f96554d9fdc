import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";

/** Columns that tell of a document's kind; they become tags where a table has no tags. */
const tagColumns = ["topic", "medium", "domain", "language"];

/**
 * A row of a table as a row of this suite's datasets: `item` is the expected output where there is none of that
 * name, JSON in the text of `schema` and of the expected output is parsed, and `topic`, `medium`, `domain` and
 * `language` become tags. In columns with parts a table fills what a row lacks with null: such parts are
 * left out, as null means absent in an expected output, too. Other columns are left aside. What can't be parsed
 * stays as it is. An empty row gives an empty row.
 * Source: columns of paraloq/json_data_extraction (title, topic, item_id, schema, item, text, medium).
 * @example extractionRow({ text: "Hi", schema: "{}", item: '{"a": 1}' }) // { text: "Hi", schema: {}, expected_output: { a: 1 } }
 */
export function extractionRow(columns: JsonObject): JsonObject {
  const { id, text, schema, item, expected_output: expected = item, tags } = columns;
  const row: JsonObject = {};
  if (id !== undefined) row["id"] = id;
  if (text !== undefined) row["text"] = text;
  if (schema !== undefined) row["schema"] = parsed(schema);
  if (expected !== undefined) row["expected_output"] = parsed(expected);
  const told = tagsOf(columns);
  if (tags !== undefined) row["tags"] = withoutNulls(tags);
  else if (Object.keys(told).length > 0) row["tags"] = told;
  return row;
}

/** A text that is itself expected does not begin as an object or array does; JSON in text is kept as it says. */
function parsed(value: Json): Json {
  if (typeof value !== "string") return withoutNulls(value);
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

function tagsOf(columns: JsonObject): Record<string, string> {
  const entries = tagColumns.flatMap((name) => {
    const value = columns[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const there = Object.entries(value).filter(([, its]) => its !== null);
  return Object.fromEntries(there.map(([name, its]) => [name, withoutNulls(its)]));
}
