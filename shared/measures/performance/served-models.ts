import type { Answer } from "../../contracts/answer.ts";
import type { Redirect } from "../../contracts/drift/drift-notice.ts";
import type { RunModel } from "../../contracts/run.ts";
import { figureText } from "../report/figures/figure-text.ts";

/** Maximum number of names counted separately, and shown for a run; further names are merged. */
const mostCounted = 1_000;
const mostShown = 10;

/** Number of answers by model name from the endpoint; null: all other models. */
export type ServedTally = Map<string | null, number>;

/**
 * Counts an answer by its model name from the endpoint. Ignores answers without a name and failed requests. Changes
 * `tally`, which has a bounded number of names. Constant time.
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
 * The models that answered, those with most answers first, at most ten; all others are one entry with model null.
 * Empty if no answer has a name.
 * @example servedModels(new Map([["m-2026-05-01", 8]])) // [{ model: "m-2026-05-01", answers: 8 }]
 */
export function servedModels(tally: ServedTally): Served {
  const named = [...tally].flatMap(([model, answers]) =>
    model === null ? [] : [{ model, answers }],
  );
  named.sort((a, b) => b.answers - a.answers || (a.model < b.model ? -1 : 1));
  const uncounted = tally.get(null) ?? 0;
  return fewServed(
    uncounted === 0 ? named : [...named, { model: null, answers: uncounted }],
    mostShown,
  );
}

type Served = NonNullable<RunModel["served"]>;

/**
 * The first `most` of the models that answered; all others are one entry with model null. Linear.
 * @example fewServed([{ model: "a", answers: 8 }, { model: "b", answers: 1 }], 1) // a and { model: null, answers: 1 }
 */
export function fewServed(served: Served, most: number): Served {
  const shown = served.slice(0, most).filter(({ model }) => model !== null);
  const answers = served.slice(shown.length).reduce((sum, other) => sum + other.answers, 0);
  return answers === 0 ? shown : [...shown, { model: null, answers }];
}

/**
 * Ids of the models that answered, those with most answers first; "others" for unnamed ones.
 * @example servedIds({ served: [{ model: "a", answers: 8 }, { model: null, answers: 1 }] }) // ["a", "others"]
 */
export const servedIds = ({ served = [] }: Pick<RunModel, "served">): string[] =>
  served.map(({ model }) => model ?? "others");

/**
 * The models that answered, as text: the id, or several ids with their numbers of answers. Null if no answer has a
 * name.
 * @example servedText({ served: [{ model: "a", answers: 8 }, { model: null, answers: 1 }] }) // "a (8), others (1)"
 */
export function servedText({ served = [] }: Pick<RunModel, "served">): string | null {
  const ids = servedIds({ served });
  if (ids.length < 2) return ids[0] ?? null;
  return served.map(({ answers }, i) => `${ids[i]} (${figureText(answers, "count")})`).join(", ");
}

/**
 * Whether answers name another model id than the requested one: a dated name of it, or another model.
 * @example answeredByOther({ asked: ["m"], served: [{ model: "m-2026-05-01", answers: 8 }] }) // true
 */
export const answeredByOther = ({ asked = [], served = [] }: Pick<RunModel, "asked" | "served">) =>
  served.some(({ model }) => model === null || !asked.includes(model));

/**
 * The model that replaced another one: the most frequent model of the later run, if no answer of the earlier run named
 * it. Null if one did, or if either run has answers without a known name.
 * @example redirectOf({ served: [{ model: "a", answers: 8 }] }, { served: [{ model: "b", answers: 8 }] }) // { before: "a", now: "b" }
 */
export function redirectOf(
  { served: before = [] }: Pick<RunModel, "served">,
  { served: now = [] }: Pick<RunModel, "served">,
): Redirect | null {
  const [was, is] = [before[0]?.model ?? null, now[0]?.model ?? null];
  if (was === null || is === null) return null;
  return before.some(({ model }) => model === null || model === is)
    ? null
    : { before: was, now: is };
}
