import type { Suite } from "../../../shared/contracts/suite.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import type { Task } from "./extraction.ts";

/** A function that adds up `count` samples of a suite, as many as there are over and over, and sums the run up. */
export function summingUp(suite: Suite, tasks: readonly Task[], count: number): () => void {
  const options: unknown = suite.optionsSchema.parse({});
  const scored = tasks.map(({ sample, answer }) => {
    const { id, tags } = suite.sampleHead(sample);
    return { id, tags, score: suite.score(sample, answer, options), call: callOf(answer) };
  });
  const run = { runId: "bench", options, prices: null, wallMs: 60_000 };
  return () => {
    let state: unknown = suite.aggregate.empty();
    for (let seq = 0; seq < count; seq++) {
      const one = scored[seq % scored.length]!;
      state = suite.aggregate.add(state, { ...one, seq, id: `sample-${seq}` });
    }
    suite.aggregate.finish(state, run);
  };
}
