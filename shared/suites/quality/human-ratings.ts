import { isJsonObject, type Json } from "../../contracts/json.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import { type QualityMetric, qualityMetricIds } from "./metric-ids.ts";

/** Of each metric what each rater gave, null where one gave nothing. On any scale. */
export type HumanRatings = Partial<Record<QualityMetric, (number | null)[]>>;

/** Most ratings of one metric. */
const MAX_RATERS = 100;

/**
 * People's ratings of a row as lists: a single rating becomes a list of one. The error says which is
 * unusable.
 * Source: docs/spec/quality.md, validation.
 * @example humanRatings({ overall: 4 }) // { ok: true, value: { overall: [4] } }
 */
export function humanRatings(human: Json): Result<HumanRatings, string> {
  if (!isJsonObject(human)) return err("human must be an object of ratings by metric");
  const ratings: HumanRatings = {};
  for (const [name, given] of Object.entries(human)) {
    const metric = qualityMetricIds.find((id) => id === name);
    if (metric === undefined) {
      return err(`human may rate ${qualityMetricIds.join(", ")}, not ${JSON.stringify(name)}`);
    }
    const list = Array.isArray(given) ? given : [given];
    if (list.length > MAX_RATERS) return err(`human.${metric} has more than ${MAX_RATERS} ratings`);
    if (!list.every(isRating)) return err(`human.${metric} must be a number, or a list of them`);
    ratings[metric] = list;
  }
  return ok(ratings);
}

const isRating = (value: Json): value is number | null =>
  value === null || (typeof value === "number" && Number.isFinite(value));
