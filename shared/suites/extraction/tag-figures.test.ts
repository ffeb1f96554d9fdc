import { expect, it } from "vitest";
import { callOf } from "../../measures/call-totals.ts";
import { examples } from "../__fixtures__/examples.ts";
import { suiteById } from "../registry.ts";
import { extractionTagFigures } from "./tag-figures.ts";

const [suite, example] = [suiteById("extraction")!, examples["extraction"]!];
const options = suite.optionsSchema.parse({});

/** A run over `languages.length` samples of which all are right. */
function breakdownOf(languages: readonly string[]): unknown {
  let state = suite.aggregate.empty();
  languages.forEach((language, seq) => {
    const row = { ...(example.rows[seq % 4] as object), id: `s${seq}`, tags: { language } };
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const answer = example.perfect(sample);
    const { id, tags } = suite.sampleHead(sample);
    const score = suite.score(sample, answer, options);
    state = suite.aggregate.add(state, { seq, id, tags, score, call: callOf(answer) });
  });
  return suite.aggregate.finish(state, { runId: "r", options, prices: null, wallMs: 1 }).breakdown;
}

it("extractionTagFigures() has EQS and its interval for values with ten samples or more", () => {
  const languages = [...Array(12).fill("en"), ...Array(10).fill("de"), ...Array(9).fill("fr")];
  const headline = { value: 1, interval: [1, 1] };
  expect(extractionTagFigures(breakdownOf(languages))).toEqual([
    { tag: "language", name: "en", n: 12, headline },
    { tag: "language", name: "de", n: 10, headline },
  ]);
});
