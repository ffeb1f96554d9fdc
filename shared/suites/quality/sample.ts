import { isJsonObject, type Json } from "../../contracts/json.ts";
import { type Labels, readLabels } from "../../contracts/judging/rating.ts";
import { err, ok, type Result } from "../../contracts/result.ts";
import type { CheckedSample } from "../../contracts/suite.ts";
import { isTags } from "../../measures/repeats.ts";
import { type QualityMetric, qualityMetricIds } from "./metrics.ts";
import { words } from "./read/words.ts";

/** A prompt for an answer in prose. */
export interface QualitySample {
  id: string;
  prompt: string;
  system?: string;
  tags: Record<string, string>;
  /** People's ratings of one response to this prompt. */
  human?: Labels<HumanRatings>;
}

/** Longest prompt and system message, in UTF-16 units: more than models accept. */
export const maxChars = 1_000_000;

/**
 * Whether a dataset row can be used: it needs an id and a prompt, and may have a system message, tags and
 * people's ratings. A prompt without a word gives a warning, because its length scores 0. Never
 * throws.
 * Source: docs/spec/quality.md.
 * @example checkSample({ id: "a" }) // { ok: false, error: "prompt must be a string" }
 */
export function checkSample(row: unknown): Result<CheckedSample<QualitySample>, string> {
  if (!isJsonObject(row)) return err("the row is not a JSON object");
  const { id, prompt, system, tags = {}, human } = row;
  if (typeof id !== "string" || id === "") return err("id must be a non-empty string");
  if (typeof prompt !== "string") return err("prompt must be a string");
  if (prompt.length > maxChars) return err(tooLong("prompt", prompt));
  if (system !== undefined && typeof system !== "string") return err("system must be a string");
  if (system !== undefined && system.length > maxChars) return err(tooLong("system", system));
  if (!isTags(tags)) return err("tags must be an object of strings");
  const sample: QualitySample = { id, prompt, tags };
  if (system !== undefined) sample.system = system;
  if (human !== undefined) {
    const ratings = humanRatings(human);
    if (!ratings.ok) return ratings;
    sample.human = ratings.value;
  }
  const warnings = words(prompt).length === 0 ? ["prompt has no word, so its length scores 0"] : [];
  return ok({ sample, warnings });
}

const tooLong = (name: string, text: string) =>
  `${name} has ${text.length} characters, but at most ${maxChars} are allowed`;

/** Ratings of each metric by rater, on any scale; null for a missing rating. */
export type HumanRatings = Partial<Record<QualityMetric, (number | null)[]>>;

/** Maximum number of ratings of one metric. */
const MAX_RATERS = 100;

/**
 * People's ratings in a row as lists (a single rating as a list of one), and the rated response. The error names the
 * invalid rating.
 * Source: docs/spec/quality.md, validation.
 * @example humanRatings({ overall: 4 }) // { ok: true, value: { scores: { overall: [4] }, answerHash: null } }
 */
function humanRatings(human: Json): Result<Labels<HumanRatings>, string> {
  const labels = readLabels(human);
  if (!labels.ok) return labels;
  const ratings: HumanRatings = {};
  for (const [name, given] of Object.entries(labels.value.scores)) {
    const metric = qualityMetricIds.find((id) => id === name);
    if (metric === undefined) {
      return err(`human may rate ${qualityMetricIds.join(", ")}, not ${JSON.stringify(name)}`);
    }
    const list = Array.isArray(given) ? given : [given];
    if (list.length > MAX_RATERS) return err(`human.${metric} has more than ${MAX_RATERS} ratings`);
    if (!list.every(isRating)) return err(`human.${metric} must be a number, or a list of them`);
    ratings[metric] = list;
  }
  return ok({ scores: ratings, answerHash: labels.value.answerHash });
}

const isRating = (value: Json): value is number | null =>
  value === null || (typeof value === "number" && Number.isFinite(value));
