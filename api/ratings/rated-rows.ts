import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import type { Platform } from "../platform/platform.ts";
import type { DatasetRating } from "./store.ts";

/** Maximum ratings read at once: some 10 MB. */
const MOST_RATINGS = 50_000;

/** Maximum characters; rows are in memory both as text and as bytes. */
const MOST_CHARACTERS = 8_000_000;

/**
 * Samples of a dataset whose answers people rated in an account's runs, as JSON Lines with the ratings in `human`: of
 * each sample, those of the answer with the most ratings, or of the newer run among equals. Samples of the newest
 * versions come first, up to 8 million characters. Samples whose rows were deleted are omitted.
 */
export async function ratedRows(
  { ratings, datasets }: Pick<Platform, "ratings" | "datasets">,
  { owner, suite, dataset }: Record<"owner" | "suite" | "dataset", string>,
): Promise<Uint8Array> {
  const stored = await ratings.ofDataset(owner, suite, dataset, MOST_RATINGS);
  const bySample = Map.groupBy(stored, ({ sampleId }) => sampleId);
  const rated = [...bySample.values()].map(mostRated);
  const lines: string[] = [];
  let characters = 0;
  for (const [version, its] of Map.groupBy(rated, ([first]) => first!.version)) {
    const { heads } = await datasets.index(suite, version);
    const ofSample = new Map(its.map((one) => [one[0]!.sampleId, one]));
    for (const [place, { id }] of heads.entries()) {
      const own = ofSample.get(id);
      const row = own && (await datasets.row(suite, version, place));
      if (own === undefined || row === undefined || !isJsonObject(row)) continue;
      const line = JSON.stringify({ ...row, human: humanOf(own) });
      characters += line.length;
      if (characters > MOST_CHARACTERS) break;
      lines.push(line);
    }
  }
  return new TextEncoder().encode(lines.join("\n"));
}

function mostRated(ratings: readonly DatasetRating[]): DatasetRating[] {
  const byAnswer = Map.groupBy(ratings, ({ answerHash }) => answerHash);
  return [...byAnswer.values()].reduce((most, one) => (one.length > most.length ? one : most));
}

/** Scores by metric, in the same order of raters, who are not named. */
function humanOf(ratings: readonly DatasetRating[]): JsonObject {
  const raters = [...new Set(ratings.map(({ rater }) => rater))].toSorted();
  const byMetric = [...Map.groupBy(ratings, ({ metric }) => metric)].map(([metric, own]) => {
    const scoreOf = new Map(own.toReversed().map(({ rater, score }) => [rater, score]));
    return [metric, raters.map((rater) => scoreOf.get(rater) ?? null)];
  });
  return { answerHash: ratings[0]!.answerHash, ...Object.fromEntries(byMetric) };
}
