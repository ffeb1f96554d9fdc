import { type Json, type JsonObject, parsedJson } from "../../contracts/json.ts";

/** Columns that describe a document's kind; they become tags in a table without tags. */
const tagColumns = ["topic", "medium", "domain", "language"];

/**
 * A row of a table as a row of this suite's datasets: `item` is the expected output if there is no column
 * `expected_output`; JSON texts of the schema and the expected output are parsed; `topic`, `medium`, `domain` and
 * `language` become tags. Other columns are ignored. A value that can't be parsed is kept unchanged. An empty row gives
 * an empty row.
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
  const fromColumns = tagsOf(columns);
  if (tags !== undefined) row["tags"] = tags;
  else if (Object.keys(fromColumns).length > 0) row["tags"] = fromColumns;
  return row;
}

/** Parses text that begins like an object or an array; other text is itself the expected output. */
function parsed(value: Json): Json {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return (parsedJson(value) as Json | undefined) ?? value;
}

function tagsOf(columns: JsonObject): Record<string, string> {
  const entries = tagColumns.flatMap((name) => {
    const value = columns[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}
