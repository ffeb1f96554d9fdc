import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timelineSchema } from "../../contracts/runs/timeline.ts";
import { addToTimeline, emptyTimeline, type TimedSample, timelineOf } from "./timeline.ts";

const aSample = (more: Partial<TimedSample> = {}): TimedSample => ({
  doneMs: 0,
  covered: true,
  latencyMs: 100,
  attempts: 1,
  queueWaitMs: 0,
  retryWaitMs: 0,
  ...more,
});

function timeline(wallMs: number, samples: readonly TimedSample[]) {
  const tally = emptyTimeline(wallMs);
  for (const sample of samples) addToTimeline(tally, sample);
  return timelineOf(tally);
}

describe("emptyTimeline()", () => {
  it.each([
    [0, 1],
    [999, 1],
    [1_999, 1],
    [2_000, 2],
    [59_500, 59],
    [60_000, 60],
    [86_400_000, 60],
  ])("over %i ms has %i bins", (wallMs, bins) => {
    expect(emptyTimeline(wallMs).bins).toHaveLength(bins);
  });
});

describe("timelineOf()", () => {
  it("counts each sample in the bin in which it was done", () => {
    const { bins, binMs } = timeline(3_000, [
      aSample({ doneMs: 0 }),
      aSample({ doneMs: 999.9, latencyMs: 300 }),
      aSample({ doneMs: 1_000, covered: false, latencyMs: null, attempts: 4 }),
      aSample({ doneMs: 3_000 }),
      aSample({ doneMs: 9_000, latencyMs: null }),
    ]);
    expect(binMs).toBe(1_000);
    expect(bins).toEqual([
      { completed: 2, failed: 0, attempts: 2, meanLatencyMs: 200 },
      { completed: 0, failed: 1, attempts: 4, meanLatencyMs: null },
      { completed: 2, failed: 0, attempts: 2, meanLatencyMs: 100 },
    ]);
  });

  it("ignores the latency of failed samples", () => {
    const { bins } = timeline(1_000, [aSample({ covered: false, latencyMs: 60_000 }), aSample()]);
    expect(bins[0]).toMatchObject({ completed: 1, failed: 1, meanLatencyMs: 100 });
  });

  it("computes separate quantiles for the kinds of wait", () => {
    const samples = Array.from({ length: 101 }, (_, i) =>
      aSample({ queueWaitMs: i * 10, retryWaitMs: i === 0 ? null : 5 }),
    );
    const { queueWaitMs, retryWaitMs } = timeline(1_000, samples);
    expect(queueWaitMs.n).toBe(101);
    expect(queueWaitMs.max).toBe(1_000);
    expect((queueWaitMs.p50 as number) / 500).toBeCloseTo(1, 2);
    expect((queueWaitMs.p95 as number) / 950).toBeCloseTo(1, 2);
    expect(retryWaitMs).toMatchObject({ n: 100, p50: 5, p99: 5, max: 5 });
  });

  it("has nulls without samples, and ignores unknown times", () => {
    const nothing = { n: 0, p50: null, p95: null, p99: null, max: null };
    const empty = { completed: 0, failed: 0, attempts: 0, meanLatencyMs: null };
    expect(timeline(0, [])).toEqual({
      wallMs: 0,
      binMs: 0,
      bins: [empty],
      queueWaitMs: nothing,
      retryWaitMs: nothing,
    });
    expect(timeline(0, [aSample({ doneMs: null })]).bins).toEqual([empty]);
    expect(timeline(0, [aSample({ doneMs: 0 })]).bins[0]?.completed).toBe(1);
  });

  it("counts every sample with a known time, in any order, and matches its schema", () => {
    const times = fc.nat(1_000_000);
    const samples = fc.array(
      fc.record({
        doneMs: times,
        covered: fc.boolean(),
        latencyMs: times,
        attempts: fc.nat(9),
        queueWaitMs: times,
        retryWaitMs: times,
      }),
    );
    fc.assert(
      fc.property(samples, times, (given, wallMs) => {
        const made = timeline(wallMs, given);
        const counted = made.bins.reduce((sum, bin) => sum + bin.completed + bin.failed, 0);
        expect(counted).toBe(given.length);
        expect(timelineSchema.parse(made)).toEqual(made);
        expect(timeline(wallMs, given.toReversed())).toEqual(made);
      }),
    );
  });
});
