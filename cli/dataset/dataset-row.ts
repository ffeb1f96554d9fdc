import type { JsonObject } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";

/**
 * A row of a shared table as a dataset's row: a column that is null counts as left out, and what has no id gets
 * the split's name and the row's number.
 * @example datasetRow(suite, { text: "Hi", tags: null }, "train", 4) // { id: "train-4", text: "Hi" }
 */
export function datasetRow(
  suite: Pick<Suite, "rowFromColumns">,
  columns: JsonObject,
  split: string,
  index: number,
): JsonObject {
  const there = Object.entries(columns).filter(([, value]) => value !== null);
  const given = Object.fromEntries(there);
  const { id, ...row } = suite.rowFromColumns?.(given) ?? given;
  return { id: idOf(id) ?? `${split}-${index}`, ...row };
}

function idOf(given: unknown): string | null {
  if (typeof given === "string" && given !== "") return given;
  return typeof given === "number" ? `${given}` : null;
}
