import type { Answer } from "../../contracts/answer.ts";
import type { RunModel } from "../../contracts/run.ts";

/** Most names counted separately, and most that a run shows: further names are counted as one. */
const mostCounted = 1_000;
const mostShown = 10;

/** Answers by the model that gave them, as its endpoint names it; null: by all others. */
export type ServedTally = Map<string | null, number>;

/**
 * Counts an answer by the model that its endpoint says gave it; one that does not say, and a failed request, counts
 * nowhere. Changes `tally`, which holds a bounded number of names. Constant time.
 * @example countServed(tally, answer)
 */
export function countServed(
  tally: ServedTally,
  { servedModel, error }: Pick<Answer, "servedModel" | "error">,
): void {
  if (servedModel === undefined || error !== null) return;
  const name = tally.has(servedModel) || tally.size < mostCounted ? servedModel : null;
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

/**
 * The models that answered, those with the most answers first, ten at most; all others are one entry, whose model is
 * null. Empty where no answer said.
 * @example servedModels(new Map([["m-2026-05-01", 8]])) // [{ model: "m-2026-05-01", answers: 8 }]
 */
export function servedModels(tally: ServedTally): NonNullable<RunModel["served"]> {
  const named = [...tally].flatMap(([model, answers]) =>
    model === null ? [] : [{ model, answers }],
  );
  named.sort((a, b) => b.answers - a.answers || (a.model < b.model ? -1 : 1));
  const others = named
    .slice(mostShown)
    .reduce((sum, { answers }) => sum + answers, tally.get(null) ?? 0);
  const shown = named.slice(0, mostShown);
  return others === 0 ? shown : [...shown, { model: null, answers: others }];
}
