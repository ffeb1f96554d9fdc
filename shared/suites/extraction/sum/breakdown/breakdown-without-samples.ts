import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { withoutRareParts } from "../../../../measures/run-sums/without-rare-parts.ts";

/**
 * A breakdown that names no sample. Of name paths those stay that are in three samples or more, and of common errors
 * those at these paths: a name that one answer made up may quote its sample. All other counts stay. What is
 * not there, as in a breakdown of an older version, is left as it is.
 * @example breakdownWithoutSamples({ errorAnalysis: { crowds: [{ count: 2, example: { seq: 0, id: "a" } }] } })
 */
export function breakdownWithoutSamples(breakdown: Json): Json {
  const { errorAnalysis, fields, ...others } = withoutRareParts(breakdown, {
    tags: "n",
  }) as JsonObject;
  const rest = {
    ...others,
    ...(fields !== undefined && { fields: withoutRareParts(fields, { byPath: "n" }) }),
  };
  if (errorAnalysis === undefined) return rest;
  const { common, crowds, ...errors } = errorAnalysis as JsonObject;
  const shared = sharedPaths(rest);
  const kept = rowsOf(common).filter(({ path }) => shared.has(path ?? null));
  return {
    ...rest,
    errorAnalysis: {
      ...errors,
      ...(common !== undefined && { common: withoutExamples(kept) }),
      ...(crowds !== undefined && { crowds: withoutExamples(rowsOf(crowds)) }),
    },
  };
}

const rowsOf = (rows: Json | undefined): JsonObject[] =>
  Array.isArray(rows) ? (rows as JsonObject[]) : [];

const sharedPaths = ({ fields }: JsonObject): ReadonlySet<Json> =>
  new Set(rowsOf((fields as JsonObject | undefined)?.["byPath"]).map(({ name }) => name ?? null));

const withoutExamples = (rows: readonly JsonObject[]): Json =>
  rows.map((row) => ({ ...row, example: null }));
