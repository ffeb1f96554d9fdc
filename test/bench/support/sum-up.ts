import {
  addSample,
  noSums,
  readSums,
  scoreTexts,
  writtenSums,
} from "../../../api/engine/run-sums.ts";
import type { StoredSample } from "../../../api/runs/stored-samples.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { joinScores } from "../../../shared/measures/comparison/collect-scores.ts";
import { callOf } from "../../../shared/measures/performance/call-totals.ts";
import { pointsOf } from "../../../shared/measures/performance/run-points.ts";
import { timelineOf } from "../../../shared/measures/performance/timeline.ts";
import type { Task } from "./extraction.ts";

/** Returns a function that aggregates a run of `count` samples, repeating the tasks. */
export function summingUp(suite: Suite, tasks: readonly Task[], count: number): () => void {
  const options: unknown = suite.optionsSchema.parse({});
  const scored = tasks.map(({ sample, answer }) => {
    const { id, tags } = suite.sampleHead(sample);
    return { id, tags, score: suite.score(sample, answer, options), call: callOf(answer) };
  });
  const run = { runId: "bench", options, prices: null, wallMs: 60_000 };
  return () => {
    let state: unknown = suite.aggregate.empty(options);
    for (let seq = 0; seq < count; seq++) {
      const one = scored[seq % scored.length]!;
      state = suite.aggregate.add(state, { ...one, seq, id: `sample-${seq}` });
    }
    suite.aggregate.finish(state, run);
  };
}

/** The Worker's piece size. */
const PIECE_ROWS = 10_000;

/**
 * Like `summingUp()`, but in pieces like the Worker, with all tallies in addition to the suite's state. Between pieces, the
 * sums are written as JSON and read back.
 */
export function summingUpInPieces(suite: Suite, tasks: readonly Task[], count: number): () => void {
  const options: unknown = suite.optionsSchema.parse({});
  const scored = tasks.map(({ sample, answer }) => {
    const score = suite.score(sample, answer, options) as StoredSample["score"];
    return { head: suite.sampleHead(sample), answer, score };
  });
  const run = { runId: "bench", options, prices: null, wallMs: 60_000 };
  return () => {
    const heads = Array.from({ length: count }, (_, seq) => {
      const { group, tags } = scored[seq % scored.length]!.head;
      return { id: `sample-${seq}`, group, tags: { ...tags } };
    });
    let sums = noSums(suite, options, run.wallMs);
    for (let seq = 0; seq < count; seq++) {
      if (seq > 0 && seq % PIECE_ROWS === 0) {
        const text = JSON.stringify(writtenSums(sums));
        // In the Worker, another invocation reads the sums.
        sums = noSums(suite, options, null);
        sums = readSums(JSON.parse(text));
      }
      const { answer, score } = scored[seq % scored.length]!;
      const stored = { seq, id: `sample-${seq}`, answer, doneMs: seq, score };
      const row = {
        ...answer,
        covered: score.covered,
        doneMs: seq,
        queueWaitMs: 5,
        retryWaitMs: 0,
      };
      addSample(sums, { suite, options, heads, repeats: 1 }, stored, row);
    }
    suite.aggregate.finish(sums.state, run);
    sums.state = null;
    timelineOf(sums.timeline!);
    pointsOf(sums.points);
    new Blob(joinScores(scoreTexts(sums)));
  };
}
