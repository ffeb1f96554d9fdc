import { expect, test } from "vitest";
import type { RunFacts } from "../../../contracts/suite.ts";
import { inMaze, maze } from "../../../measures/json-schema/__fixtures__/maze.ts";
import { anAnswer, aSample, aScored } from "../__fixtures__/build.ts";
import { extractionMetrics } from "../metrics.ts";
import { defaultOptions, type ExtractionOptions } from "../options.ts";
import { scoreExtraction } from "../score/score.ts";
import { breakdownSchema } from "./breakdown/breakdown.ts";
import { addAnswer, noAnswers } from "./state.ts";
import { summarize } from "./summarize.ts";

const run: RunFacts<ExtractionOptions> = {
  runId: "run-1",
  options: defaultOptions,
  wallMs: 2000,
  prices: { inputPerMillion: 100, outputPerMillion: 200 },
};
const expected = { a: "new york city", b: 2 };
const call = {
  latencyMs: 400,
  firstByteMs: 90,
  inputTokens: 100,
  outputTokens: 10,
  structuredMode: "json_object",
} as const;
const answers = [
  anAnswer('{"a": "New York City", "b": 2}', call),
  anAnswer('{"a": "new york"}', { ...call, latencyMs: 900 }),
  anAnswer('Here: {"a": "x", "z": 1}', { ...call, finishReason: "length" }),
  anAnswer("no", call),
  anAnswer(null, { refusal: "no" }),
  anAnswer(null, { error: { class: "timeout", message: "" }, attempts: 4 }),
];
const scored = answers.map((answer, seq) =>
  aScored(seq, aSample(expected, { id: `s${seq}` }), answer),
);
const stateOf = (samples: Parameters<typeof addAnswer>[1][]) =>
  samples.reduce(addAnswer, noAnswers());
const summary = summarize(stateOf(scored), run);

test("summarize() computes the shares of outputs that are valid without and with their nulls", () => {
  const schema = { properties: { a: { type: "integer" }, b: { type: "string" } }, required: ["a"] };
  const outputs = ['{"a": 1}', '{"a": 1, "b": null}', '{"a": 1, "b": null}', '{"a": null}'];
  const given = outputs.map((output, seq) =>
    aScored(seq, aSample({ a: 1 }, { id: `s${seq}`, schema }), anAnswer(output)),
  );
  const { validity, validAsIs } = summarize(stateOf(given), run).metrics;
  expect([validity?.value, validAsIs?.value]).toEqual([3 / 4, 1 / 4]);
  expect(validAsIs?.interval).not.toBeNull();
});

test("summarize() returns every metric of the catalogue; only metrics without data are null", () => {
  expect(Object.keys(summary.metrics)).toEqual(extractionMetrics.map(({ id }) => id));
  const unmeasured = Object.entries(summary.metrics).filter(([, { value }]) => value === null);
  expect(unmeasured.map(([id]) => id)).toEqual([
    "pass2",
    "pass4",
    "pass8",
    "alwaysPasses",
    "sometimesPasses",
    "neverPasses",
    "lowestPassShare",
    ...["P50", "P95", "P99", "Mean", "Min", "Max"].map((figure) => `firstToken${figure}`),
    "networkP50",
    "networkP95",
    "outputSpeedP5",
    "outputSpeedP50",
    "cachedTokens",
    "audioTokens",
    "thinkingShare",
    "reasoningTokens",
    "calibrationError",
    "outputConsistency",
    "fieldConsistency",
    "valueDeviation",
  ]);
});

test("summarize() returns components whose weighted sum is EQS", () => {
  const { eqs } = breakdownSchema.parse(summary.breakdown);
  const parts = Object.entries(defaultOptions.weights).map(
    ([name, weight]) => weight * eqs.components![name as "validity"],
  );
  expect(parts.reduce((a, b) => a + b)).toBeCloseTo(summary.metrics["eqs"]!.value!, 12);
});

test("summarize() returns headline figures with interval and coverage", () => {
  const { eqs, latencyP95, strictF1Macro } = summary.metrics;
  const [low, high] = eqs!.interval!;
  expect(low).toBeLessThan(eqs!.value!);
  expect(high).toBeGreaterThan(eqs!.value!);
  expect(eqs).toMatchObject({ n: 6, coverage: 5 / 6 });
  expect(latencyP95).toMatchObject({ n: 4, coverage: 4 / 6, grade: "A+" });
  expect(strictF1Macro?.interval?.[0]).toBeLessThanOrEqual(strictF1Macro?.value ?? -1);
  expect(strictF1Macro?.interval?.[1]).toBeGreaterThanOrEqual(strictF1Macro?.value ?? 2);
});

test("summarize() counts answers by outcome", () => {
  expect(breakdownSchema.parse(summary.breakdown)).toMatchObject({
    samples: 6,
    answers: 6,
    clusters: null,
    categories: { exact: 2, partial: 1, incorrect: 1, missed: 8, spurious: 1 },
    parse: { clean: 2, recovered: 1, failed: 1 },
    refused: 1,
    empty: 0,
    truncated: 1,
    structuredModes: { json_object: 4 },
    errors: { timeout: 1 },
    recommendation: "not recommended",
    tier: "fails",
    sla: { p95Under2000Ms: true, p99Under5000Ms: true },
  });
});

test("summarize() returns null figures without answers", () => {
  const empty = summarize(noAnswers(), { ...run, wallMs: null, prices: null });
  expect(Object.values(empty.metrics).every(({ value, n }) => value === null && n === 0)).toBe(
    true,
  );
  expect(breakdownSchema.parse(empty.breakdown)).toMatchObject({ validShare: null, tier: null });
});

test("summarize() counts the clusters of samples", () => {
  const clustered = scored.map((one) => ({ ...one, tags: { cluster: one.seq < 3 ? "a" : "b" } }));
  const breakdown = breakdownSchema.parse(summarize(stateOf(clustered), run).breakdown);
  expect(breakdown.clusters).toBe(2);
});

test("summarize() counts unscored answers separately, and lowers the coverage", () => {
  const sample = aSample({}, { schema: maze });
  const tooCostly = scoreExtraction(
    sample,
    anAnswer(JSON.stringify(inMaze(5_000))),
    defaultOptions,
  );
  // If scoring itself failed, there is no detail.
  const broken = { ...tooCostly, covered: false, detail: null as never };
  const unscored = [
    { ...scored[0]!, seq: 6, id: "s6", score: tooCostly },
    { ...scored[5]!, seq: 7, id: "s7", score: broken },
  ];
  const { metrics, breakdown } = summarize(stateOf([...scored, ...unscored]), run);
  const { eqs, latencyP95, successRate } = summary.metrics;
  expect(metrics["eqs"]).toEqual({ ...eqs, coverage: 5 / 8 });
  expect(metrics["successRate"]).toMatchObject({ value: successRate!.value, n: 6 });
  expect(metrics["latencyP95"]).toMatchObject({ value: latencyP95!.value, coverage: 4 / 8 });
  expect(breakdownSchema.parse(breakdown)).toMatchObject({
    samples: 6,
    answers: 6,
    unscored: 2,
    errors: { timeout: 2 },
  });
});
