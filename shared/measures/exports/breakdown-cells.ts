import type { AggregateRow } from "../../contracts/boards/aggregate-row.ts";
import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";

/** A cell of a breakdown: its place and its content. */
export type BreakdownCell = Pick<AggregateRow, "id" | "label" | "value" | "low" | "high" | "n"> & {
  /** The last name on the way, which is a metric's id where the cell is one of a part of the run. */
  key: string;
};

/** Where the walk is: `names` are for readers, `n` is that of the nearest part around. */
interface Place {
  pointer: string;
  names: readonly string[];
  key: string;
  n: number | null;
}

/**
 * Every number, text and flag of a breakdown as a cell, in order. An object with a value is one cell, with the
 * interval and n next to it; elements of lists are identified by their texts, such as a name. Linear.
 * @example [...breakdownCells({ answers: 2 })][0]?.id // "/answers"
 */
export function* breakdownCells(breakdown: Json): Generator<BreakdownCell> {
  yield* cellsOf(breakdown, { pointer: "", names: [], key: "", n: null });
}

function* cellsOf(value: Json, place: Place): Generator<BreakdownCell> {
  if (Array.isArray(value)) {
    for (const [i, element] of value.entries()) {
      const name = isJsonObject(element) ? nameOf(element) || `${i + 1}` : `${i + 1}`;
      yield* cellsOf(element, at(place, `${i}`, name, place.key));
    }
    return;
  }
  if (isJsonObject(value)) return yield* cellsIn(value, place);
  if (value !== null) yield cell(place, value, null);
}

function* cellsIn(value: JsonObject, place: Place): Generator<BreakdownCell> {
  const { n, value: own, interval, ...rest } = value;
  const inner = typeof n === "number" ? { ...place, n } : place;
  const isFigure = own !== undefined && !isJsonObject(own) && !Array.isArray(own);
  if (isFigure) yield cell(inner, own, endsOf(interval));
  const others = isFigure
    ? rest
    : { ...(own !== undefined && { value: own }), ...rest, ...intervalOf(interval) };
  if (!isFigure && typeof n === "number") yield cell(at(place, "n", "n", "n"), n, null);
  for (const [key, part] of Object.entries(others)) yield* cellsOf(part, at(inner, key, key, key));
}

const intervalOf = (interval: Json | undefined): JsonObject =>
  interval === undefined ? {} : { interval };

const at = (place: Place, step: string, name: string, key: string): Place => ({
  pointer: `${place.pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`,
  names: [...place.names, name],
  key,
  n: place.n,
});

function cell(
  { pointer: id, names, key, n }: Place,
  value: AggregateRow["value"],
  ends: readonly [number, number] | null,
): BreakdownCell {
  const [low, high] = ends ?? [null, null];
  return { id, label: names.join(", "), key, value, low, high, n };
}

function endsOf(interval: Json | undefined): [number, number] | null {
  if (!Array.isArray(interval) || interval.length !== 2) return null;
  const [low, high] = interval;
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}

const nameOf = (element: JsonObject): string =>
  Object.values(element)
    .filter((value) => typeof value === "string")
    .join(" ");
