import { expect, test } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import type { Prices } from "../../contracts/submissions/prices.ts";
import { protocolOf } from "../../protocols/protocol-of.ts";
import { type CallFacts, callOf, countCall, noCalls, numbersOf } from "./call-totals.ts";
import { distributionsOf, generationMs } from "./distributions.ts";
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
  return performanceFigures(totals, distributionsOf(calls.map(numbersOf)), wallMs, prices);
}

test("performanceFigures() covers every metric of its catalogue", () => {
  const figures = figuresOf([call], 1000, null);
  expect(Object.keys(figures).sort()).toEqual(performanceMetrics.map(({ id }) => id).sort());
});

test("performanceFigures() includes hidden thoughts in the thoughts rate", () => {
  const answerBlock = { type: "text", text: "4" };
  const callWith = (...blocks: object[]) =>
    callOf(protocolOf({ protocol: "messages" }).read({ content: [...blocks, answerBlock] }, null)!);
  const calls = [
    callWith(),
    callWith({ type: "redacted_thinking", data: "…" }),
    callWith({ type: "thinking", thinking: "", signature: "…" }),
    callWith({ type: "thinking", thinking: "2 + 2" }),
  ];
  expect(figuresOf(calls, null, null)["thoughtsRate"]).toMatchObject({ value: 3 / 4, n: 4 });
});

test("performanceFigures() is null for all metrics without calls", () => {
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
  ["inputTokensP50", 1000],
  ["outputTokensP50", 200],
  ["costUsd", (3000 * 0.01 + 600 * 0.02) / 1000],
  ["costPer1kUsd", (3000 * 0.01 + 600 * 0.02) / 3],
])("performanceFigures() computes %s as %d", (id, value) => {
  // The third call has three attempts without a retry: changes of the structured-output mode are not retries.
  const calls = [
    call,
    { ...call, latencyMs: 200, attempts: 2, retries: 1 },
    { ...call, latencyMs: 300, attempts: 3 },
    failed,
  ];
  const prices = { inputPerMillion: 10, outputPerMillion: 20 };
  expect(figuresOf(calls, 2000, prices)[id]?.value).toBeCloseTo(value, 12);
});

test("performanceFigures() has no reliability for submitted answers", () => {
  const { reliability, successRate } = figuresOf([{ ...call, attempts: 0 }], null, null);
  expect(reliability?.value).toBeNull();
  expect(successRate?.value).toBe(1);
});

test("performanceFigures() ignores times and tokens of failed requests", () => {
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
  ["the latency after the first byte", {}, 80],
  ["0 if the first byte is later than the end", { firstByteMs: 120 }, 0],
  ["null without a first byte", { firstByteMs: null }, null],
  ["null for a failed call", { error: { class: "timeout", message: "" } }, null],
])("generationMs() is %s", (_, part, expected) => {
  expect(generationMs(numbersOf({ ...call, ...part }))).toBe(expected);
});

test.each<[string, Partial<CallFacts>, number | null]>([
  ["the tokens after the first one", { firstTokenMs: 20 }, (1_000 * 199) / 80],
  [
    "tokens of streamed thoughts, too",
    { firstTokenMs: 10, reasoningTokens: 150 },
    (1_000 * 199) / 90,
  ],
  [
    "no tokens of thoughts that were not streamed",
    { firstTokenMs: 20, reasoningTokens: 150 },
    (1_000 * 49) / 80,
  ],
  ["null without a stream", {}, null],
  ["null if all tokens arrive at once", { firstTokenMs: 95, firstByteMs: 95 }, null],
  ["null for a single token", { firstTokenMs: 20, outputTokens: 1 }, null],
  ["null without a token count", { firstTokenMs: 20, outputTokens: null }, null],
])("outputSpeedP50 is or counts %s", (_, part, expected) => {
  const { value } = figuresOf([{ ...call, ...part }], null, null)["outputSpeedP50"]!;
  if (expected === null) expect(value).toBeNull();
  else expect(value).toBeCloseTo(expected, 9);
});

test("performanceFigures() has first-token and network times only of calls that measured them", () => {
  const figures = figuresOf([call, { ...call, firstTokenMs: 12, networkMs: 3 }], null, null);
  expect(figures["firstTokenP50"]).toEqual({ value: 12, n: 1 });
  expect(figures["networkP50"]).toEqual({ value: 3, n: 1 });
  expect(figures["firstByteP50"]).toEqual({ value: 20, n: 2 });
});

test("performanceFigures() has Wilson's interval for request rates, and none for a single request", () => {
  const many = figuresOf([call, call, call, failed], null, null);
  const [low, high] = many["successRate"]?.interval ?? [0, 0];
  expect(low).toBeCloseTo(0.3006, 4);
  expect(high).toBeCloseTo(0.9544, 4);
  expect(figuresOf([call], null, null)["successRate"]?.interval).toBeNull();
});
