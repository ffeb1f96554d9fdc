import type { AggregateRow } from "../../contracts/boards/aggregate-row.ts";
import { isJsonObject, type Json, type JsonObject } from "../../contracts/json.ts";
import type { Metric } from "../../contracts/metric.ts";
import type { Run } from "../../contracts/run.ts";

/**
 * The aggregates of a run as rows: its metrics in the catalogue's order, then metrics that are not in the catalogue,
 * then the cells of the breakdown, each with unit and definition if it is a metric over a part of the run. Empty for
 * an unfinished run. Linear.
 * @example [...aggregateRows(run, suite.metrics)][0]?.id // suite.headline
 */
export function* aggregateRows(
  { metrics, breakdown }: Pick<Run, "metrics" | "breakdown">,
  catalogue: readonly Metric[],
): Generator<AggregateRow> {
  const known = new Map(catalogue.map((metric) => [metric.id, metric]));
  for (const id of new Set([...known.keys(), ...Object.keys(metrics ?? {})])) {
    const estimate = metrics?.[id];
    if (estimate === undefined) continue;
    const { value, interval, n, coverage, grade = null } = estimate;
    const [low, high] = interval ?? [null, null];
    const label = known.get(id)?.label ?? id;
    yield {
      kind: "metric",
      id,
      label,
      value,
      low,
      high,
      n,
      coverage,
      ...described(known.get(id)),
      grade,
    };
  }
  for (const { key, ...cell } of breakdownCells((breakdown ?? null) as Json)) {
    const metric = typeof cell.value === "number" ? known.get(key) : undefined;
    yield { kind: "cell", ...cell, coverage: null, ...described(metric), grade: null };
  }
}

const described = (metric: Metric | undefined) => ({
  unit: metric?.unit ?? null,
  better: metric?.better ?? null,
  definition: metric?.definition ?? null,
});

/** A cell of a breakdown: its path and content. */
type BreakdownCell = Pick<AggregateRow, "id" | "label" | "value" | "low" | "high" | "n"> & {
  /** The last name of the path; it is a metric's id if the cell belongs to a part of the run. */
  key: string;
};

/** Position of the walk: `names` are for readers, `n` is that of the nearest enclosing part. */
interface Place {
  pointer: string;
  names: readonly string[];
  key: string;
  n: number | null;
}

/**
 * Every number, text and flag of a breakdown as a cell, in order. An object with a value is one cell, with its
 * interval and n; list elements are identified by their texts, such as a name. Linear.
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
