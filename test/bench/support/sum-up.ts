import { callOf } from "../../../shared/contracts/answer.ts";
import type { ScoredSample } from "../../../shared/contracts/suite.ts";
import { options, perturbed, suite, task, usableRows } from "./extraction.ts";

const run = { runId: "bench", options, prices: null, wallMs: 60_000 };

/** A function that adds up `count` scored samples, mistakes in all, and sums the run up. */
export function summingUp(dataset: string, count: number): () => void {
  const scored = scoredSamples(dataset);
  return () => {
    let state: unknown = suite.aggregate.empty();
    for (let seq = 0; seq < count; seq++) {
      const one = scored[seq % scored.length]!;
      state = suite.aggregate.add(state, { ...one, seq, id: `sample-${seq}` });
    }
    suite.aggregate.finish(state, run);
  };
}

/** One scored sample for each row of the dataset. */
function scoredSamples(dataset: string): Omit<ScoredSample, "seq">[] {
  return usableRows(dataset).map((row) => {
    const { sample, answer } = task(row, perturbed(row));
    const { id, tags } = suite.sampleHead(sample);
    const call = callOf(answer);
    return { id, tags, score: suite.score(sample, answer, options), call };
  });
}
