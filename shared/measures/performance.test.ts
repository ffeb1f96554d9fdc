import { expect, test } from "vitest";
import { type CallFacts, performanceFigures, performanceMetrics } from "./performance.ts";

const call: CallFacts = {
  ...{ latencyMs: 100, firstByteMs: 20, inputTokens: 1000, outputTokens: 200 },
  ...{ attempts: 1, errorClass: null },
};
const failed = { ...call, latencyMs: null, outputTokens: null, attempts: 4, errorClass: "timeout" };

test("performanceFigures() covers every metric of its catalogue", () => {
  const figures = performanceFigures([call], 1000, null);
  expect(Object.keys(figures).sort()).toEqual(performanceMetrics.map(({ id }) => id).sort());
});

test("performanceFigures() of nothing is all null", () => {
  const figures = performanceFigures([], 1000, { inputPer1k: 1, outputPer1k: 1 });
  expect(Object.values(figures).every(({ value }) => value === null)).toBe(true);
});

test.each([
  ["latencyP50", 200],
  ["latencyP95", 290],
  ["latencyMax", 300],
  ["successRate", 0.75],
  ["timeoutRate", 0.25],
  ["retryRate", 0.5],
  ["reliability", (2 + 0.5) / 4],
  ["requestsPerSecond", 2],
  ["samplesPerMinute", 90],
  ["tokensPerSecond", 300],
  ["costUsd", (3000 * 0.01 + 600 * 0.02) / 1000],
])("performanceFigures() gives %s as %d", (id, value) => {
  const calls = [
    call,
    { ...call, latencyMs: 200, attempts: 2 },
    { ...call, latencyMs: 300 },
    failed,
  ];
  const prices = { inputPer1k: 0.01, outputPer1k: 0.02 };
  expect(performanceFigures(calls, 2000, prices)[id]?.value).toBeCloseTo(value, 12);
});

test("performanceFigures() leaves retries out for answers made elsewhere", () => {
  const { reliability, successRate } = performanceFigures([{ ...call, attempts: 0 }], null, null);
  expect(reliability?.value).toBeNull();
  expect(successRate?.value).toBe(1);
});
