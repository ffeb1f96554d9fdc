import { readFileSync } from "node:fs";
import type { Json } from "../../../shared/contracts/json.ts";
import type { RunFacts, ScoredSample, Suite, Summary } from "../../../shared/contracts/suite.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { degradedAnswer, seeded } from "./degraded-answer.ts";
import type { KeptAnswer } from "./kept-answers.ts";

type Row = { id: string; expected_output: Json };

const stock = new URL("../../../shared/suites/extraction/stock.jsonl", import.meta.url);

// Of so many samples each that parts of a board have intervals.
const domains = ["trade", "health", "travel"];

/** Rows of the stock dataset, in three domains. */
export const stockRows: readonly Row[] = readFileSync(stock, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line))
  .map((row, i) => ({ ...row, tags: { ...row.tags, domain: domains[i % domains.length] } }));

/** How a model of the fixture behaves. */
export interface Behaviour {
  quality: number;
  lostRate: number;
  seed: number;
  prices?: RunFacts<unknown>["prices"];
}

/** How a model of this behaviour answers each row, and what it earns with that. */
export function keptAnswers(
  suite: Suite,
  rows: readonly Row[],
  { quality, lostRate, seed }: Behaviour,
): KeptAnswer[] {
  const random = seeded(seed);
  const options = suite.optionsSchema.parse({});
  return rows.map((row, seq) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const answer = degradedAnswer(row.expected_output, quality, lostRate, random);
    const { id, tags } = suite.sampleHead(sample);
    return { seq, id, tags, row, answer, score: suite.score(sample, answer, options) };
  });
}

/** What a model of this behaviour earns with each row. */
export const scoredSamples = (...of: Parameters<typeof keptAnswers>): ScoredSample[] =>
  keptAnswers(...of).map(({ row: _, answer, ...scored }) => ({ ...scored, call: callOf(answer) }));

/** A run's summary as the service makes it: scored, added up, finished by the suite itself. */
export function scoredSummary(
  suite: Suite,
  rows: readonly Row[],
  runId: string,
  behaviour: Behaviour,
): Summary {
  const { empty, add, finish } = suite.aggregate;
  const state = scoredSamples(suite, rows, behaviour).reduce(add, empty());
  const options = suite.optionsSchema.parse({});
  return finish(state, { runId, options, prices: behaviour.prices ?? null, wallMs: 42_000 });
}
