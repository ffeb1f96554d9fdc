import { describe, expect, it } from "vitest";
import { bootstrap } from "../../stats/bootstrap/bootstrap.ts";
import { type CallIntervals, intervalsOfBins, intervalsOfCalls } from "./call-figures.ts";
import { addQuantities, type QuantityBins } from "./distributions.ts";

/** 100 answers with latencies from 110 to 1,100 ms; the time to first byte is a tenth of each. */
const answers = Array.from({ length: 100 }, (_, i) => ({
  latencyMs: 110 + 10 * i,
  firstByteMs: 11 + i,
  outputTokens: i < 50 ? 20 : 40 + i,
  unit: i,
}));
type Answer = Omit<(typeof answers)[number], "firstByteMs"> & { firstByteMs: number | null };

function intervalsIn({ drawn, known }: CallIntervals, units: number) {
  const intervals = bootstrap(units, "run", drawn.figures);
  return { ...Object.fromEntries(drawn.ids.map((id, k) => [id, intervals[k] ?? null])), ...known };
}
const intervalsOf = (list: readonly Answer[], units: number) =>
  intervalsIn(intervalsOfCalls(list, units), units);
const widthOf = (interval: readonly [number, number] | null | undefined) =>
  interval ? interval[1] - interval[0] : Number.NaN;

describe("intervalsOfCalls()", () => {
  const intervals = intervalsOf(answers, 100);

  it.each([
    ["latencyP50", 605],
    ["latencyP95", 1050.5],
    ["latencyMean", 605],
    ["firstByteP50", 60.5],
    ["generationMean", 544.5],
    ["outputTokensP50", 55],
  ])("returns an interval of %s that contains its value %d", (id, value) => {
    const [low, high] = intervals[id] ?? [Number.NaN, Number.NaN];
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
  });

  it("uses order statistics for percentiles if each answer is its own unit", () => {
    // The probability of 40 to 60 successes in 100 fair draws is 96.5%.
    expect(intervals["latencyP50"]).toEqual([110 + 10 * 39, 110 + 10 * 60]);
    expect(intervalsOf(answers.slice(0, 72), 72)["latencyP95"]?.[1]).toBe(110 + 10 * 71);
    expect(intervalsOf(answers.slice(0, 71), 71)["latencyP95"]).toBeNull();
  });

  it("has an interval of the mean that matches its standard error", () => {
    expect(widthOf(intervals["latencyMean"])).toBeCloseTo((2 * 1.96 * 288.7) / 10, -1);
  });

  it("resamples units, so intervals are wider if the answers of a unit are similar", () => {
    const clustered = answers.map((answer, i) => ({ ...answer, unit: Math.floor(i / 10) }));
    const wider = intervalsOf(clustered, 10);
    expect(widthOf(wider["latencyMean"])).toBeGreaterThan(2 * widthOf(intervals["latencyMean"]));
    expect(widthOf(wider["latencyP50"])).toBeGreaterThan(2 * widthOf(intervals["latencyP50"]));
    // Ten units are too few for p95, because resamples contain no time beyond the longest.
    expect(wider["latencyP95"]).toBeUndefined();
  });

  it("resamples percentiles only with enough sources, regardless of the number of answers", () => {
    const p95 = (units: number) =>
      intervalsOf(
        Array.from({ length: 600 }, (_, i) => ({ ...answers[i % 100]!, unit: i % units })),
        units,
      )["latencyP95"];
    expect(p95(119)).toBeUndefined();
    expect(p95(120)?.[1]).toBeGreaterThan(1_050);
    expect(
      intervalsOf(
        answers.map((answer, i) => ({ ...answer, unit: i % 5 })),
        5,
      )["latencyP50"],
    ).toBeUndefined();
  });

  it("is null for unknown quantities", () => {
    const silent = answers.map((answer) => ({ ...answer, firstByteMs: null }));
    const found = intervalsOf(silent, 100);
    expect([found["firstByteP95"], found["generationMean"], found["firstTokenP50"]]).toEqual([
      null,
      null,
      null,
    ]);
    expect(found["latencyP95"]).toEqual(intervals["latencyP95"]);
  });
});

describe("intervalsOfBins()", () => {
  const bins: QuantityBins = {};
  for (const { latencyMs, firstByteMs } of answers) addQuantities(bins, { latencyMs, firstByteMs });

  it("is close to the interval from single answers, and null without values", () => {
    const { drawn, known } = intervalsOfBins(bins, false);
    expect(drawn).toEqual({ ids: [], figures: [] });
    const single = intervalsOf(answers, 100);
    for (const id of ["latencyP50", "latencyP95", "latencyMean", "firstByteMean"]) {
      const width = widthOf(single[id]);
      for (const end of [0, 1] as const) {
        expect(Math.abs((known[id]?.[end] ?? 0) - single[id]![end])).toBeLessThan(width / 10);
      }
    }
    expect(known["outputTokensP50"]).toBeNull();
  });

  it("is null if answers share sources", () => {
    const { known } = intervalsOfBins(bins, true);
    expect(new Set(Object.values(known))).toEqual(new Set([null]));
  });
});
