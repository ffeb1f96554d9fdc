import { z } from "zod";
import type { AskedJudge, Reading } from "../../contracts/judging/judge.ts";
import { f1, ratio } from "../../measures/text/token-f1.ts";
import { defaultModels } from "../default-models.ts";
import { type Exchange, exchangeSections, isEmptyAnswer } from "../exchange.ts";
import { meanFigure, meanValue, ratioFigure, readingOf } from "../figures.ts";
import { reasoning, texts } from "../judgment-parts.ts";

const judgment = z.object({
  reasoning,
  cited_keys: texts("Keys of the stored facts that the answer uses, each exactly as it is listed"),
});
type Judgment = z.infer<typeof judgment>;

/**
 * Compares cited keys with the keys that should be used (tp, fn) and should not (fp); other keys are not counted.
 * Precision is 1 if no counted key is cited, recall 1 if none is required; all 0–1. Linear.
 * Source: docs/spec/memory.md, metric 1.
 * @example keyScore(["diet"], { requiredKeys: ["diet"], forbiddenKeys: [] }).f1 // 1
 */
export function keyScore(
  citedKeys: readonly string[],
  { requiredKeys, forbiddenKeys }: Pick<Exchange, "requiredKeys" | "forbiddenKeys">,
) {
  const cited = new Set(citedKeys.map((key) => key.trim()));
  const hits = (keys: readonly string[]) => new Set(keys.filter((key) => cited.has(key))).size;
  const tp = hits(requiredKeys);
  const fp = hits(forbiddenKeys);
  const fn = new Set(requiredKeys).size - tp;
  const precision = ratio(tp, tp + fp, 1);
  const recall = ratio(tp, tp + fn, 1);
  return { tp, fp, fn, precision, recall, f1: f1(precision, recall) };
}

function read({ cited_keys: cited }: Judgment, exchange: Exchange): Reading {
  // A blank answer cites nothing, even if the recorded judgment has cited keys.
  const keys = keyScore(isEmptyAnswer(exchange.answer) ? [] : cited, exchange);
  const { f1: value, ...numbers } = keys;
  return readingOf(value, { numbers });
}

/** A key counts as cited if more than half of the judges cite it. */
function combine(judgments: readonly Judgment[]): Judgment {
  const votes = new Map<string, number>();
  for (const { cited_keys: cited } of judgments) {
    for (const key of new Set(cited.map((one) => one.trim())))
      votes.set(key, (votes.get(key) ?? 0) + 1);
  }
  const cited = [...votes].flatMap(([key, count]) => (2 * count > judgments.length ? [key] : []));
  return { reasoning: "", cited_keys: cited.sort() };
}

const found = { tp: 1 };
const counted = { tp: 1, fp: 1 };
const needed = { tp: 1, fn: 1 };
const isOf =
  "A required key that the answer uses is a hit, a forbidden one a false alarm; neutral and unknown keys count nowhere.";

/** Whether the answer uses the memories that it should, and no others. */
export const memoryUtilization: AskedJudge<Judgment, Exchange> = {
  kind: "asked",
  id: "memory_utilization",
  label: "Memory utilization",
  version: "1",
  scale: "ratio",
  route: defaultModels.facts,
  rubric: {
    task: "A profile of stored facts about the person lay before the assistant. Find out which of those facts the answer makes use of. You do not grade; you list.",
    levels: [],
    rules: [
      "Go through the listed keys one by one. A key is used where the answer states its fact, alludes to it, or gives advice that would read otherwise without it.",
      "A paraphrase is a use; so is advice made to fit the fact without naming it, where nothing else explains the fit.",
      "A key may be listed that the profile lacks. It is used where the answer speaks as if it knew such a fact.",
      "A topic that the query itself brings up is no use of a key, unless the answer adds what only the profile says.",
      "General advice that would suit anybody uses no key.",
      "Give keys letter for letter as they are listed, each once, and none that is not listed.",
    ],
    notAbout: [
      "whether it was wise to use the fact",
      "whether what the answer says is true",
      "tone, style and usefulness",
    ],
  },
  sections: exchangeSections("profile", "keys", "query", "answer"),
  judgment,
  read,
  empty: (exchange) => read({ reasoning: "", cited_keys: [] }, exchange),
  combine,
  numbers: { whole: ["tp", "fp", "fn"], fractions: ["precision", "recall"] },
  labels: {},
  figures: [
    ratioFigure({
      id: "memory_utilization",
      label: "Memory F1",
      definition: `F1 of the memories used, over all samples together: 2 · hits / (2 · hits + false alarms + misses). ${isOf}`,
      better: "higher",
      of: { tp: 2 },
      over: { tp: 2, fp: 1, fn: 1 },
      empty: 1,
    }),
    ratioFigure({
      id: "memory_precision",
      label: "Memory precision",
      definition: `Hits / (hits + false alarms), over all samples together. ${isOf}`,
      better: "higher",
      of: found,
      over: counted,
      empty: 1,
    }),
    ratioFigure({
      id: "memory_recall",
      label: "Memory recall",
      definition: `Hits / required keys, over all samples together. ${isOf}`,
      better: "higher",
      of: found,
      over: needed,
      empty: 1,
    }),
    meanValue(
      {
        id: "memory_utilization_macro",
        label: "Memory F1, mean of samples",
        definition: `Mean over samples of the F1 of the memories used. ${isOf}`,
      },
      "ratio",
    ),
    ratioFigure({
      id: "memory_precision_macro",
      label: "Memory precision, mean of samples",
      definition: "Mean over samples of hits / (hits + false alarms), 1 where neither key is used.",
      better: "higher",
      of: { precision: 1 },
      over: { judged: 1 },
      empty: 1,
    }),
    ratioFigure({
      id: "memory_recall_macro",
      label: "Memory recall, mean of samples",
      definition: "Mean over samples of hits / required keys, 1 where none is required.",
      better: "higher",
      of: { recall: 1 },
      over: { judged: 1 },
      empty: 1,
    }),
    meanFigure({
      id: "forbidden_keys_used",
      label: "Forbidden memories per sample",
      definition: "Forbidden keys that answers use, per judged sample.",
      better: "lower",
      of: "fp",
    }),
  ],
};
