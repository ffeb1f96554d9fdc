import { readFileSync } from "node:fs";
import type { Json } from "../../../shared/contracts/json.ts";
import type { Suite, Summary } from "../../../shared/contracts/suite.ts";
import { degradedAnswer, seeded } from "./degraded-answer.ts";

type Row = { id: string; expected_output: Json };

const stock = new URL("../../../shared/suites/extraction/stock.jsonl", import.meta.url);

/** Rows of the stock dataset. */
export const stockRows: readonly Row[] = readFileSync(stock, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));

/** How a model of the fixture behaves. */
export interface Behaviour {
  quality: number;
  lostRate: number;
  seed: number;
}

/** A run's summary as the service makes it: scored, added up, finished by the suite itself. */
export function scoredSummary(
  suite: Suite,
  rows: readonly Row[],
  runId: string,
  { quality, lostRate, seed }: Behaviour,
): Summary {
  const random = seeded(seed);
  const options = suite.optionsSchema.parse({});
  let state = suite.aggregate.empty();
  rows.forEach((row, seq) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const answer = degradedAnswer(row.expected_output, quality, lostRate, random);
    const { output: _output, refusal: _refusal, toolCalls: _toolCalls, ...call } = answer;
    const { id, tags } = suite.sampleHead(sample);
    const score = suite.score(sample, answer, options);
    state = suite.aggregate.add(state, { seq, id, tags, score, call });
  });
  return suite.aggregate.finish(state, { runId, options, prices: null, wallMs: 42_000 });
}
