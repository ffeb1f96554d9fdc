import type { Json, JsonObject } from "../../contracts/json.ts";

/**
 * Minimum number of answers for which a name from a sample or a model is published: with fewer it may quote a sample.
 */
const fewestNamed = 3;

/**
 * A breakdown whose tables keep only the rows based on at least three answers. `counts` names for each table the
 * column with this number; null: the table has none, and all its rows are removed. Missing tables are ignored.
 * @example withoutRareParts({ topics: [{ name: "a", n: 1 }] }, { topics: "n" }) // { topics: [] }
 */
export function withoutRareParts(
  breakdown: Json,
  counts: Readonly<Record<string, string | null>>,
): Json {
  const kept: JsonObject = { ...(breakdown as JsonObject) };
  for (const [table, column] of Object.entries(counts)) {
    const rows = kept[table];
    if (!Array.isArray(rows)) continue;
    kept[table] = (rows as JsonObject[]).filter(
      (row) => column !== null && Number(row[column] ?? 0) >= fewestNamed,
    );
  }
  return kept;
}
