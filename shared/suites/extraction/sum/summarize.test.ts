import { expect, test } from "vitest";
import type { RunFacts } from "../../../contracts/suite.ts";
import { answered } from "../__fixtures__/answered.ts";
import { dozen } from "../__fixtures__/dozen.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import { breakdownSchema, type ExtractionBreakdown } from "./breakdown/breakdown.ts";
import { addAnswer, noAnswers } from "./state.ts";
import { consistencyIntervals, summarize } from "./summarize.ts";

const run: RunFacts<ExtractionOptions> = {
  runId: "run-1",
  options: defaultOptions,
  wallMs: 6000,
  prices: { inputPerMillion: 100, outputPerMillion: 200 },
};
const { metrics, breakdown: served } = summarize(dozen.reduce(addAnswer, noAnswers()), run);
const breakdown: ExtractionBreakdown = breakdownSchema.parse(served);
const { fields, errorAnalysis } = breakdown;

// Fields: 5·2 + 2 = 12 exact, 3 partial, 3 incorrect, 5 + 3 + 2 + 1 = 11 missed, 3 spurious;
// so E = 18 + 11 = 29 and P = 18 + 3 = 21; correct: strict 12, partial 13.5, lenient 15.
test.each([
  ["eqs", (5 * 0.9 + 1 + 3 * (0.25 + 0.2 * (2 / 3) + 0.1)) / 12],
  ["validity", 9 / 12],
  ["validAsIs", 9 / 12],
  ["partialF1Macro", (5 * 0.8 + 1 + 3 * 0.2) / 12],
  ["typeAccuracy", (5 + 1 + 3 * (2 / 3)) / 12],
  ["hallucinationRate", 1 - (5 + 1 + 3 * (2 / 3)) / 12],
  ["hallucinationRateOfValid", 3 / 21],
  ["criticalHallucinationRate", 6 / 21],
  ["exactMatch", 1 / 12],
  ["exactMatchOfValid", 1 / 9],
  ["strictPrecision", 12 / 21],
  ["strictRecall", 12 / 29],
  ["strictF1", 24 / 50],
  ["partialPrecision", 13.5 / 21],
  ["partialRecall", 13.5 / 29],
  ["partialF1", 27 / 50],
  ["lenientF1", 30 / 50],
  ["strictRecallMacro", (5 * (2 / 3) + 1) / 12],
  ["partialF1Weighted", (5 * 0.8 * 3 + 1 * 2 + 3 * 0.2 * 2) / 29],
  ["typeAccuracyMicro", (10 + 2 + 6) / 21],
  ["omissionRate", 11 / 29],
  ["omissionRateMacro", (5 / 3 + 3) / 12],
  ["fuzzyMatchRate", 9 / 9],
  ["successRate", 11 / 12],
  ["timeoutRate", 1 / 12],
  ["parseFailureRate", 1 / 12],
  ["schemaFailureRate", 1 / 12],
  // s6–s8 and s11 were retried; 8 were answered at once, 3 after a retry.
  ["retryRate", 4 / 12],
  ["reliability", (8 + 0.5 * 3) / 12],
  // 100, 200 … 1,100: rank 9.5 of 0–10 is half way from 1,000 to 1,100.
  ["latencyMean", 600],
  ["latencyP50", 600],
  ["latencyP95", 1050],
  ["firstByteMax", 40],
  ["generationP50", 560],
  ["requestsPerSecond", 12 / 6],
  ["samplesPerMinute", 110],
  ["tokensPerSecond", 110 / 6],
  ["fieldsPerSecond", 21 / 6],
  ["tokenEfficiency", 21 / 110],
  ["costUsd", (1100 * 0.1 + 110 * 0.2) / 1000],
  ["costPer1kUsd", 12],
  // 0.95: six answers, accuracy 5/6; 0.45: four, accuracy 0.6/4.
  ["calibrationError", 0.6 * (0.95 - 5 / 6) + 0.4 * (0.45 - 0.15)],
])("summarize() computes %s as %d", (id, value) => {
  expect(metrics[id]?.value).toBeCloseTo(value, 12);
});

test("summarize() uses Wilson's interval for the success rate", () => {
  const [low, high] = metrics["successRate"]!.interval!;
  expect(low).toBeCloseTo(0.64612, 6);
  expect(high).toBeCloseTo(0.985135, 6);
  const answered = summarize(dozen.slice(0, 5).reduce(addAnswer, noAnswers()), run).metrics;
  expect(answered["successRate"]).toMatchObject({
    value: 1,
    interval: [expect.closeTo(0.565518, 6), 1],
  });
});

test("summarize() returns null for consistency without repeats", () => {
  const { outputConsistency, fieldConsistency, valueDeviation } = metrics;
  const nothing = { value: null, n: 0, coverage: 0 };
  expect([outputConsistency, fieldConsistency, valueDeviation]).toMatchObject([
    nothing,
    nothing,
    nothing,
  ]);
});

test.each([
  // name: 6 exact, 3 partial, 3 missed; address.city 3 spurious.
  ["byType", "string", 12, 12, 12, 15 / 24, 12 / 24, 3 / 12],
  ["byType", "number", 11, 11, 9, 12 / 20, 12 / 20, 2 / 11],
  ["byType", "array", 6, 6, 0, 0, 0, 1],
  ["byDepth", "0", 12, 29, 18, 27 / 47, 24 / 47, 11 / 29],
  ["byDepth", "1", 3, 0, 3, 0, 0, 0],
  ["byRequired", "required", 12, 23, 18, 27 / 41, 24 / 41, 5 / 23],
  ["byRequired", "optional", 6, 6, 0, 0, 0, 1],
  ["byComplexity", "simple", 6, 17, 12, 24 / 29, 24 / 29, 5 / 17],
  ["byComplexity", "medium", 3, 6, 9, 3 / 15, 0, 0],
  ["byComplexity", "complex", 3, 6, 0, 0, 0, 1],
  ["byPath", "name", 12, 12, 9, 15 / 21, 12 / 21, 3 / 12],
  ["byPath", "address.city", 3, 0, 3, 0, 0, 0],
] as const)(
  "summarize() computes for %s %s: n %d, E %d, P %d, F1 %d, strict %d, omission %d",
  (...[place, name, n, expected, predicted, partialF1, strictF1, omissionRate]) => {
    const cell = fields[place].find((one) => one.name === name)!;
    expect(cell).toMatchObject({ n, expected, predicted, interval: null, standing: null });
    expect(cell.partialF1).toBeCloseTo(partialF1, 12);
    expect(cell.strictF1).toBeCloseTo(strictF1, 12);
    expect(cell.omissionRate).toBeCloseTo(omissionRate, 12);
  },
);

test("summarize() omits parts without fields", () => {
  expect(fields.byType.map(({ name }) => name)).toEqual(["string", "number", "array"]);
  expect(fields.byPath.map(({ name }) => name)).toEqual(["address.city", "age", "name", "tags"]);
});

test("summarize() counts predicted types by expected type", () => {
  expect(fields.typeConfusion.string).toMatchObject({ string: 9, absent: 3, null: 0 });
  expect(fields.typeConfusion.number).toMatchObject({ number: 9, absent: 2, null: 0 });
  expect(fields.typeConfusion.array).toMatchObject({ array: 0, absent: 6 });
});

test("summarize() counts categories and composites", () => {
  expect(fields.categoryShares).toEqual({
    exact: 12 / 32,
    partial: 3 / 32,
    incorrect: 3 / 32,
    missed: 11 / 32,
    spurious: 3 / 32,
  });
  expect(fields.compositeBins).toEqual({ excellent: 12, good: 0, fair: 3, poor: 0, veryPoor: 3 });
});

test("summarize() computes the similarities of nine matched strings", () => {
  const { tokenF1, levenshtein, containment } = fields.similarity;
  expect(tokenF1.mean).toBeCloseTo((6 + 3 * 0.5) / 9, 12);
  expect(tokenF1.median).toBe(1);
  expect([tokenF1.histogram[10], tokenF1.histogram[19]]).toEqual([3, 6]);
  expect(levenshtein.mean).toBeCloseTo((6 + 3 * 0.9) / 9, 12);
  expect(containment.mean).toBe(1);
  const strict = { ...run, options: { ...defaultOptions, stringFuzzyThreshold: 0.95 } };
  const again = summarize(dozen.reduce(addAnswer, noAnswers()), strict);
  expect(again.metrics["fuzzyMatchRate"]?.value).toBeCloseTo(6 / 9, 12);
});

test("summarize() counts hallucinations and errors, and lists the most common errors", () => {
  expect(errorAnalysis).toMatchObject({
    hallucinations: { fabricated: 3, wrongValue: 3, misplaced: 0, surplus: 0 },
    severity: { critical: 6, moderate: 0, minor: 0 },
    total: 14,
    groups: { type: 0, structure: 3, boundary: 0, extraction: 5 + 3 + 3 },
    crowds: [],
    left: { errors: 0, pairs: 0, crowds: 0 },
  });
  expect(
    errorAnalysis.common.map(({ pattern, path, count, example }) => [
      pattern,
      path,
      count,
      example?.id,
    ]),
  ).toEqual([
    ["missing_value", "tags", 5, "s0"],
    ["extra_field", "address.city", 3, "s6"],
    ["hallucinated_value", "age", 3, "s6"],
    ["partial_value", "name", 3, "s6"],
  ]);
});

test("summarize() counts the fields of invalid outputs and failed requests separately from errors", () => {
  expect(errorAnalysis.lost).toEqual({
    notJson: { answers: 1, fields: 3 },
    offSchema: { answers: 1, fields: 2 },
    refused: { answers: 0, fields: 0 },
    empty: { answers: 0, fields: 0 },
    failedRequest: { answers: 1, fields: 1 },
  });
  expect(errorAnalysis.salvage).toBeNull();
  const lost = fields.byPath.map(({ name, missed, invalidOutput, failedRequest }) => [
    name,
    missed,
    invalidOutput,
    failedRequest,
  ]);
  expect(lost.sort()).toEqual([
    ["address.city", 0, 0, 0],
    ["age", 2, 2, 0],
    ["name", 3, 2, 1],
    ["tags", 6, 1, 0],
  ]);
});

// s0–s9 only: D and E of the dozen are French, and two samples are too few.
test("summarize() computes every figure based on sums by tag", () => {
  const { groups, left } = breakdown.tags;
  expect(left).toEqual({ small: 1, large: 0, tags: [] });
  expect(groups).toMatchObject([{ key: "lang", name: "en", n: 10, resampled: "samples" }]);
  const { figures } = groups[0]!;
  // Expected 26, predicted 21; macro F1 of s0–s9: (5 · 0.8 + 1 + 3 · 0.2) / 10.
  const values: Record<string, number> = {
    eqs: (4.5 + 1 + 1.45) / 10,
    validity: 0.9,
    partialF1: 27 / (26 + 21),
    exactMatch: 0.1,
    hallucinationRate: 1 - 8 / 10,
    omissionRate: 8 / 26,
    exactMatchOfValid: 1 / 9,
    strictPrecision: 12 / 21,
    strictRecall: 12 / 26,
    partialPrecision: 13.5 / 21,
    lenientF1: 30 / 47,
    partialF1Macro: 5.6 / 10,
    strictRecallMacro: (10 / 3 + 1) / 10,
    partialF1Weighted: (5 * 0.8 * 3 + 1 * 2 + 3 * 0.2 * 2) / 26,
    typeAccuracyMicro: 18 / 21,
    hallucinationRateOfValid: 3 / 21,
    omissionRateMacro: (5 / 3 + 1) / 10,
    successRate: 1,
    criticalHallucinationRate: 6 / 21,
    tokenEfficiency: 21 / 100,
    inputTokens: 1000,
    parseFailureRate: 0.1,
    latencyMean: 550,
    latencyMax: 1000,
    reliability: 8.5 / 10,
    costUsd: (1000 * 0.1 + 100 * 0.2) / 1000,
    costPer1kUsd: 12,
    retryRate: 0.3,
  };
  for (const [id, value] of Object.entries(values)) {
    expect(figures[id]?.value, id).toBeCloseTo(value, 12);
  }
  expect(Math.abs(figures["latencyP95"]!.value - 955)).toBeLessThan(1);
  expect(Object.keys(figures).filter((id) => !(id in metrics))).toEqual([]);
  for (const { value, interval } of [figures["eqs"]!, figures["criticalHallucinationRate"]!]) {
    const [low, high] = interval!;
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
  }
});

test("summarize() ignores the tokens of a failed request", () => {
  const spent = {
    ...dozen[11]!,
    call: { ...dozen[11]!.call, inputTokens: 9e6, outputTokens: 9e6 },
  };
  const again = summarize([...dozen.slice(0, 11), spent].reduce(addAnswer, noAnswers()), run);
  expect(again.metrics).toEqual(metrics);
});

test("summarize() counts errors by tag, the most frequent first", () => {
  const { hallucinations, severity, patterns } = breakdown.tags.groups[0]!;
  expect(hallucinations).toEqual({ fabricated: 3, wrongValue: 3, misplaced: 0, surplus: 0 });
  expect(severity).toEqual({ critical: 6, moderate: 0, minor: 0 });
  expect(Object.entries(patterns)).toEqual([
    ["missing_value", 5],
    ["extra_field", 3],
    ["hallucinated_value", 3],
    ["partial_value", 3],
  ]);
});

test("summarize() bases the fuzzy match rate on answers with a matched string", () => {
  expect(metrics["fuzzyMatchRate"]).toMatchObject({ n: 9, coverage: 9 / 12 });
});

test("summarize() computes validity and type accuracy by complexity bin", () => {
  const bins = breakdown.complexity.bins.map(({ name, n, figures }) => [
    name,
    n,
    figures["validity"]?.value,
    figures["typeAccuracy"]?.value,
  ]);
  expect(bins).toEqual([
    ["simple", 6, 1, 1],
    ["medium", 3, 1, expect.closeTo(2 / 3, 12)],
    ["complex", 3, 0, 0],
  ]);
});

test("summarize() averages the features of schemas, and computes their correlations", () => {
  const { features, correlations } = breakdown.complexity;
  expect(features).toMatchObject({ totalFields: (6 * 4 + 3 * 10 + 3 * 20) / 12, maxDepth: 1 });
  const [byFields, , byRequired] = correlations;
  // Σx² − (Σx)²/n = 4.32 − 5.6²/12; 1,596 − 114²/12 = 513; 26 − 5.6 · 114 / 12 = −27.2.
  const r = -27.2 / Math.sqrt((4.32 - 5.6 ** 2 / 12) * 513);
  expect(byFields).toMatchObject({ id: "partialF1ByFields", n: 12, r: expect.closeTo(r, 12) });
  expect(byRequired).toMatchObject({ r: null, p: null });
  // The eleven answered samples: latency 100 … 1,100; 4 fields six times, 10 three times, 20 twice.
  const latency = correlations.find(({ id }) => id === "latencyByFields")!;
  const products = 4 * 2100 + 10 * 2400 + 20 * 2100 - (6600 * 94) / 11;
  const spread = Math.sqrt(1_100_000 * (96 + 300 + 800 - 94 ** 2 / 11));
  expect(latency).toMatchObject({ n: 11, r: expect.closeTo(products / spread, 12) });
});

test("summarize() correlates latency with the characters of text and output", () => {
  const [byInput, byOutput] = ["latencyByInput", "latencyByOutput"].map((name) =>
    breakdown.complexity.correlations.find(({ id }) => id === name),
  );
  // Both grow by 100 from sample to sample.
  expect(byInput).toMatchObject({ by: "characters of the text", n: 11, r: expect.closeTo(1, 12) });
  // Σy = 7 · 30 + 3 · 50 + 8 = 368, Σy² = 7 · 900 + 3 · 2,500 + 64 = 13,864.
  const products = 30 * (2100 + 1100) + 50 * 2400 + 8 * 1000 - (6600 * 368) / 11;
  const spread = Math.sqrt(1_100_000 * (13_864 - 368 ** 2 / 11));
  expect(byOutput).toMatchObject({
    by: "characters of the output",
    n: 11,
    r: expect.closeTo(products / spread, 12),
  });
});

test("summarize() bins confidence by tenths", () => {
  const { n, bins } = breakdown.calibration!;
  expect(n).toBe(10);
  expect(bins.filter((bin) => bin.n > 0)).toEqual([
    {
      from: 0.4,
      to: 0.5,
      n: 4,
      confidence: expect.closeTo(0.45, 12),
      accuracy: expect.closeTo(0.15, 12),
    },
    {
      from: 0.9,
      to: 1,
      n: 6,
      confidence: expect.closeTo(0.95, 12),
      accuracy: expect.closeTo(5 / 6, 12),
    },
  ]);
});

/** Samples with two answers each; `alike` says for each sample whether both outputs are equal. */
function stateOf(alike: readonly boolean[], clusterOf?: (sample: number) => string) {
  return alike
    .flatMap((isAlike, sample) =>
      [0, 1].map((repeat) => {
        const output = isAlike ? "same" : `output ${repeat}`;
        const detail = { outputHash: output, fieldValues: { name: output, n: repeat } };
        const tags: Record<string, string> = clusterOf ? { cluster: clusterOf(sample) } : {};
        return { ...answered(sample * 2 + repeat, [], { detail }), id: `s${sample}`, tags };
      }),
    )
    .reduce(addAnswer, noAnswers());
}

const twenty = Array.from({ length: 20 }, (_, i) => i % 2 === 0);

test("consistencyIntervals() resamples samples", () => {
  const { outputConsistency, fieldConsistency, valueDeviation } = consistencyIntervals(
    stateOf(twenty),
    "run",
  );
  // The mean of 20 values, half 0.5 and half 1: standard error 0.25 / √20 = 0.056; for fields, values 0 and ½.
  expect(outputConsistency?.[0]).toBeCloseTo(0.75 - 1.96 * 0.056, 1);
  expect(outputConsistency?.[1]).toBeCloseTo(0.75 + 1.96 * 0.056, 1);
  expect(fieldConsistency?.[0]).toBeCloseTo(0.25 - 1.96 * 0.056, 1);
  expect(fieldConsistency?.[1]).toBeCloseTo(0.25 + 1.96 * 0.056, 1);
  expect(valueDeviation).toEqual([Math.SQRT1_2, Math.SQRT1_2].map((one) => expect.closeTo(one, 9)));
});

test("consistencyIntervals() resamples samples of one source together", () => {
  const width = (state: Parameters<typeof consistencyIntervals>[0]) => {
    const [low, high] = consistencyIntervals(state, "run").outputConsistency ?? [0, 0];
    return high - low;
  };
  const halves = Array.from({ length: 40 }, (_, i) => i % 8 < 4);
  const apart = width(stateOf(halves));
  // Sources of four equal samples: a quarter of the units, twice the width.
  const together = width(stateOf(halves, (sample) => `source ${Math.floor(sample / 4)}`));
  expect(together / apart).toBeGreaterThan(1.7);
  expect(together / apart).toBeLessThan(2.3);
});

test("consistencyIntervals() returns null below two samples or without repeats", () => {
  const none = { outputConsistency: null, fieldConsistency: null, valueDeviation: null };
  expect(consistencyIntervals(stateOf([true]), "run")).toEqual(none);
  expect(consistencyIntervals(noAnswers(), "run")).toEqual(none);
});

test("summarize() gives a group of all samples the figures of the run, with and without repeats", () => {
  const tagged = dozen.map((one) => ({ ...one, tags: { set: "all" } }));
  const asked = [1, 2, 3].flatMap(() => tagged).map((one, seq) => ({ ...one, seq }));
  for (const [samples, repeats] of [[tagged, 1] as const, [asked, 3] as const]) {
    const options = { ...defaultOptions, repeats };
    const whole = summarize(samples.reduce(addAnswer, noAnswers()), { ...run, options });
    const [group] = breakdownSchema.parse(whole.breakdown).tags!.groups;
    expect(group!.n).toBe(12);
    for (const id of ["eqs", "omissionRateMacro", "strictF1Macro", "partialF1Weighted"]) {
      expect(group!.figures[id]!.value, id).toBeCloseTo(whole.metrics[id]!.value!, 12);
    }
  }
});
