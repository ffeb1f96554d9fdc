import { expect, test } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import type { Prices } from "../../contracts/submissions/prices.ts";
import { type CallFacts, countCall, noCalls, timesOf } from "./call-totals.ts";
import { durationsOf, generationMs } from "./durations.ts";
import { performanceFigures } from "./performance.ts";
import { performanceMetrics } from "./performance-metrics.ts";

const call: CallFacts = {
  ...emptyAnswer,
  latencyMs: 100,
  firstByteMs: 20,
  inputTokens: 1000,
  outputTokens: 200,
  attempts: 1,
};
const failed: CallFacts = {
  ...call,
  latencyMs: null,
  firstByteMs: null,
  outputTokens: null,
  attempts: 4,
  retries: 3,
  error: { class: "timeout", message: "" },
};

function figuresOf(calls: readonly CallFacts[], wallMs: number | null, prices: Prices | null) {
  const totals = noCalls();
  for (const one of calls) countCall(totals, one);
  return performanceFigures(totals, durationsOf(calls.map(timesOf)), wallMs, prices);
}

test("performanceFigures() covers every metric of its catalogue", () => {
  const figures = figuresOf([call], 1000, null);
  expect(Object.keys(figures).sort()).toEqual(performanceMetrics.map(({ id }) => id).sort());
});

test("performanceFigures() without calls is all null", () => {
  const figures = figuresOf([], 1000, { inputPerMillion: 1000, outputPerMillion: 1000 });
  expect(Object.values(figures).every(({ value }) => value === null)).toBe(true);
});

test.each([
  ["latencyP50", 200],
  ["latencyP95", 290],
  ["latencyMean", 200],
  ["latencyMax", 300],
  ["firstByteP50", 20],
  ["generationMin", 80],
  ["generationMean", 180],
  ["successRate", 0.75],
  ["timeoutRate", 0.25],
  ["retryRate", 0.5],
  ["reliability", (2 + 0.5) / 4],
  ["requestsPerSecond", 2],
  ["samplesPerMinute", 90],
  ["tokensPerSecond", 300],
  ["inputTokens", 3000],
  ["costUsd", (3000 * 0.01 + 600 * 0.02) / 1000],
  ["costPer1kUsd", (3000 * 0.01 + 600 * 0.02) / 3],
])("performanceFigures() gives %s as %d", (id, value) => {
  // Two attempts with one retry; of three attempts, one changed the structured-output mode, which is not a retry.
  const calls = [
    call,
    { ...call, latencyMs: 200, attempts: 2, retries: 1 },
    { ...call, latencyMs: 300, attempts: 3 },
    failed,
  ];
  const prices = { inputPerMillion: 10, outputPerMillion: 20 };
  expect(figuresOf(calls, 2000, prices)[id]?.value).toBeCloseTo(value, 12);
});

test("performanceFigures() has no retries for submitted answers", () => {
  const { reliability, successRate } = figuresOf([{ ...call, attempts: 0 }], null, null);
  expect(reliability?.value).toBeNull();
  expect(successRate?.value).toBe(1);
});

test("performanceFigures() counts no times or tokens of failed requests", () => {
  const slow: CallFacts = { ...call, latencyMs: 60_000, error: { class: "timeout", message: "" } };
  const prices = { inputPerMillion: 1000, outputPerMillion: 1000 };
  const measured = ["P50", "P95", "P99", "Mean", "Min", "Max"].flatMap((name) =>
    ["latency", "firstByte", "generation"].map((of) => `${of}${name}`),
  );
  const [alone, both] = [[call], [call, slow]].map((calls) => figuresOf(calls, 1000, prices));
  for (const id of [...measured, "inputTokens", "outputTokens", "costUsd", "tokensPerSecond"]) {
    expect(both![id], id).toEqual(alone![id]);
  }
  expect(both!["successRate"]?.value).toBe(0.5);
});

test.each<[string, Partial<CallFacts>, number | null]>([
  ["the rest of the latency", {}, 80],
  ["0 where the clock ran backwards", { firstByteMs: 120 }, 0],
  ["null without a first byte", { firstByteMs: null }, null],
  ["null of a failed call", { error: { class: "timeout", message: "" } }, null],
])("generationMs() is %s", (_, part, expected) => {
  expect(generationMs(timesOf({ ...call, ...part }))).toBe(expected);
});

test("performanceFigures() has Wilson's interval of each rate of requests, and none for a single request", () => {
  const many = figuresOf([call, call, call, failed], null, null);
  const [low, high] = many["successRate"]?.interval ?? [0, 0];
  expect(low).toBeCloseTo(0.3006, 4);
  expect(high).toBeCloseTo(0.9544, 4);
  expect(figuresOf([call], null, null)["successRate"]?.interval).toBeNull();
});
