import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Answer } from "#shared/contracts/answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { joinScores } from "#shared/measures/comparison/collect-scores.ts";
import { pointsOf } from "#shared/measures/performance/run-points.ts";
import { servedModels } from "#shared/measures/performance/served-models.ts";
import { timelineOf } from "#shared/measures/performance/timeline.ts";
import { mostRows } from "#shared/measures/run-sums/run-state.ts";
import { suiteSamples } from "#shared/suites/__fixtures__/suite-samples.ts";
import { suites } from "#shared/suites/registry.ts";
import type { StoredSample } from "../runs/stored-samples.ts";
import { addSample, noSums, type RunSums, readSums, scoreTexts, writtenSums } from "./run-sums.ts";

const WALL_MS = 90_000;
const REPEATS = 2;

/** The fields that vary between answers. */
const drawn = fc.record({
  sample: fc.nat(),
  answer: fc.nat(),
  latencyMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
  outputTokens: fc.option(fc.nat(1e4)),
  servedModel: fc.constantFrom("a", "b", "c"),
  cluster: fc.option(fc.constantFrom("x", "y")),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never;

/** The sums of a run that is split into pieces; `cuts` are sample numbers. */
function summedUp(suite: Suite, run: readonly Drawn[], cuts: readonly number[]) {
  const { samples, answers, options } = suiteSamples(suite);
  const stored = run.flatMap(({ sample, answer, cluster, ...call }, i) => {
    const body = samples[sample % samples.length];
    const head = suite.sampleHead(body);
    const tags = { ...head.tags, ...(cluster !== null && { cluster }) };
    return Array.from({ length: REPEATS }, (_, repeat) => {
      const reply: Answer = { ...answers[(answer + repeat) % answers.length]!, ...call };
      const score = suite.score(body, reply, options) as StoredSample["score"];
      const seq = REPEATS * i + repeat;
      return { head: { ...head, id: `"${i}"`, tags }, seq, answer: reply, score };
    });
  });
  const heads = stored.filter((_, i) => i % REPEATS === 0).map(({ head }) => head);
  let sums: RunSums = noSums(suite, options, WALL_MS);
  const written: string[] = [];
  for (const { head, seq, answer, score } of stored) {
    if (seq % REPEATS === 0 && cuts.includes(seq / REPEATS)) {
      written.push(JSON.stringify(writtenSums(sums)));
      sums = readSums(JSON.parse(written.at(-1)!));
    }
    const { covered } = score;
    const { latencyMs } = answer;
    const row = {
      covered,
      latencyMs,
      doneMs: seq * 700,
      attempts: 1,
      queueWaitMs: 5,
      retryWaitMs: null,
    };
    const sample: StoredSample = { seq, id: head.id, answer, doneMs: null, score };
    addSample(sums, { suite, options, heads, repeats: REPEATS }, sample, row);
  }
  const facts = { runId: "run-1", options, prices: null, wallMs: WALL_MS };
  const result = JSON.stringify([
    suite.aggregate.finish(sums.state, facts),
    sums.timeline && timelineOf(sums.timeline),
    pointsOf(sums.points),
    servedModels(sums.served),
    joinScores(scoreTexts(sums)).join(""),
    sums.answers.digest(),
  ]);
  return { result, written };
}

describe.each(suites.map((suite) => [suite.id, suite] as const))("RunSums of %s", (_, suite) => {
  it("have the same bytes in one pass as in pieces that are serialized in between", () => {
    const cutRun = fc
      .array(drawn, { minLength: 1, maxLength: 8 })
      .chain((run) => fc.tuple(fc.constant(run), fc.uniqueArray(fc.nat(run.length))));
    fc.assert(
      fc.property(cutRun, ([run, cuts]) => {
        const pieces = summedUp(suite, run, cuts);
        expect(pieces.result).toBe(summedUp(suite, run, []).result);
        expect(pieces.written).toHaveLength(cuts.filter((cut) => cut < run.length).length);
      }),
      { numRuns: 4 },
    );
  });

  it("have the same bytes where a run becomes too large for rows, and stay bounded from there", () => {
    const { samples, answers, options } = suiteSamples(suite);
    const scored = answers.map((answer, i) => {
      const { latencyMs, ...rest } = answer;
      const score = suite.score(samples[i % samples.length], answer, options);
      return { score, call: { ...rest, latencyMs: latencyMs ?? i } };
    });
    const { aggregate } = suite;
    const add = (state: unknown, from: number, to: number, cuts: readonly number[] = []) => {
      let sums = state;
      for (let seq = from; seq < to; seq++) {
        if (cuts.includes(seq)) sums = JSON.parse(JSON.stringify(sums));
        const one = scored[seq % scored.length]!;
        const tags = { kind: `${seq % 3}`, many: `${seq % 1_500}` };
        sums = aggregate.add(sums, { ...one, seq, id: `s${seq}`, tags } as never);
      }
      return sums;
    };
    const few = add(aggregate.empty(options), 0, 1_000);
    const fewInPieces = add(aggregate.empty(options), 0, 1_000, [300]);
    expect(JSON.stringify(fewInPieces) === JSON.stringify(few)).toBe(true);
    const [near, most] = [mostRows - 100, mostRows + 100];
    const before = add(few, 1_000, near);
    const inPieces = add(structuredClone(before), near, most, [near, mostRows - 1, mostRows + 2]);
    const whole = add(before, near, most);
    const text = JSON.stringify(whole);
    // On failure, `toEqual` would print megabytes for minutes.
    expect(JSON.stringify(inPieces) === text).toBe(true);
    // More samples add only digits and a few rare names.
    const more = JSON.stringify(add(whole, most, most + 2_000));
    expect(more.length).toBeLessThan(1.02 * text.length);
  });
});
