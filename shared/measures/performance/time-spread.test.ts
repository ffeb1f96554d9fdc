import { describe, expect, it, test } from "vitest";
import { bootstrap } from "../../stats/bootstrap/bootstrap.ts";
import { addBinned, noBins } from "../../stats/sums/log-bins.ts";
import { binnedTimes, resampledTimes, tellsEnds, timedIds } from "./time-spread.ts";

/** A hundred answers of 110 to 1,100 ms; a tenth of each is the time to first byte. */
const answers = Array.from({ length: 100 }, (_, i) => ({
  latencyMs: 110 + 10 * i,
  firstByteMs: 11 + i,
  unit: i,
}));
const at = (id: string) => timedIds.indexOf(id);

describe("resampledTimes()", () => {
  const intervals = bootstrap(100, "run", resampledTimes(answers, 100).figures);

  it("gives an interval of every percentile and mean, which contains the value", () => {
    expect(intervals).toHaveLength(timedIds.length);
    for (const [id, value] of [
      ["latencyP50", 605],
      ["latencyP95", 1050.5],
      ["latencyMean", 605],
      ["firstByteP50", 60.5],
      ["generationMean", 544.5],
    ] as const) {
      const [low, high] = intervals[at(id)] ?? [Number.NaN, Number.NaN];
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
  });

  it("has an interval of the mean that matches its standard error", () => {
    const [low, high] = intervals[at("latencyMean")] ?? [0, 0];
    expect(high - low).toBeCloseTo((2 * 1.96 * 288.7) / 10, -1);
  });

  it("is wider if similar answers share a unit", () => {
    const clustered = answers.map((answer, i) => ({ ...answer, unit: Math.floor(i / 10) }));
    const [mean] = [bootstrap(10, "run", resampledTimes(clustered, 10).figures)[at("latencyMean")]];
    const [low, high] = intervals[at("latencyMean")] ?? [0, 0];
    expect((mean?.[1] ?? 0) - (mean?.[0] ?? 0)).toBeGreaterThan(2 * (high - low));
  });

  it("is null for unknown times", () => {
    const silent = answers.map((answer) => ({ ...answer, firstByteMs: null }));
    const found = bootstrap(100, "run", resampledTimes(silent, 100).figures);
    expect([found[at("firstByteP95")], found[at("generationMean")]]).toEqual([null, null]);
    expect(found[at("latencyP95")]).toEqual(intervals[at("latencyP95")]);
  });
});

describe("binnedTimes()", () => {
  const bins = { latency: noBins(), firstByte: noBins(), generation: noBins() };
  for (const { latencyMs, firstByteMs } of answers) {
    addBinned(bins.latency, latencyMs);
    addBinned(bins.firstByte, firstByteMs);
  }

  it("is close to resampled intervals, and null without times", () => {
    const { figures, intervals } = binnedTimes(bins, false);
    expect(figures).toEqual([]);
    const resampled = bootstrap(100, "run", resampledTimes(answers, 100).figures);
    for (const id of ["latencyP50", "latencyMean", "firstByteMean"]) {
      const [low = 0, high = 0] = resampled[at(id)] ?? [];
      const width = high - low;
      expect(Math.abs((intervals[at(id)]?.[0] ?? 0) - low)).toBeLessThan(width / 10);
      expect(Math.abs((intervals[at(id)]?.[1] ?? 0) - high)).toBeLessThan(width / 10);
    }
    expect(intervals[at("generationP95")]).toBeNull();
  });

  it("is null if answers share sources", () => {
    expect(binnedTimes(bins, true).intervals).toEqual(timedIds.map(() => null));
  });
});

test.each([
  ["latencyP50", 6],
  ["firstByteP95", 120],
  ["generationP99", 600],
])("tellsEnds() asks more times of a higher percentile: %s %i", (id, least) => {
  expect(tellsEnds(id, least)).toBe(true);
  expect(tellsEnds(id, least - 1)).toBe(false);
});

test("tellsEnds() asks nothing of other figures", () => {
  expect(tellsEnds("latencyMean", 2)).toBe(true);
});
