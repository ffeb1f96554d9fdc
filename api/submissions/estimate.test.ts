import { describe, expect, it } from "vitest";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import {
  answeredBasis,
  answeredExpense,
  type BasisFacts,
  type EstimateFacts,
  estimateBasis,
  estimateExpense,
  evenlySpaced,
  mergeProbes,
  probeUnit,
  totalExpense,
} from "./estimate.ts";

const probe = { units: 2, requests: 4, characters: 800, maxTokens: 400 };
const facts: EstimateFacts = {
  samples: 100,
  units: 100,
  probe,
  outputTokensPerSample: 30,
  meanLatencyMs: 500,
  concurrency: 20,
  prices: { inputPerMillion: 10, outputPerMillion: 100 },
  hasBatches: true,
};

describe("estimateExpense()", () => {
  it("extrapolates from the probed units", () => {
    expect(estimateExpense(facts)).toEqual({
      samples: 100,
      units: 100,
      requests: 200,
      inputTokens: 10_000,
      outputTokens: { expected: 3_000, max: 20_000 },
      costUsd: { expected: 0.4, max: 2.1 },
      batchCostUsd: { expected: 0.2, max: 1.05 },
      expectedWallSeconds: 5,
    });
  });

  it.each([
    [{ maxTokens: 50 }, 200 * 50],
    [{ thoughtTokens: 1_000 }, 200 * 1_000 + 20_000],
    [{ maxTokens: 50, thoughtTokens: 1_000 }, 200 * 1_050],
  ])("respects the model's own limits: %j", (limits, max) => {
    expect(estimateExpense({ ...facts, ...limits }).outputTokens.max).toBe(max);
  });

  it("has null for unknown values", () => {
    const open = estimateExpense({
      ...facts,
      outputTokensPerSample: null,
      probe: { ...probe, maxTokens: null },
    });
    expect(open.outputTokens).toEqual({ expected: null, max: null });
    expect(open.costUsd).toEqual({ expected: null, max: null });
    expect(estimateExpense({ ...facts, prices: null }).costUsd).toBeNull();
  });

  it("has no batch price if the endpoint has no batches", () => {
    expect(estimateExpense({ ...facts, hasBatches: false }).batchCostUsd).toBeNull();
    expect(estimateExpense({ ...facts, prices: null }).batchCostUsd).toBeNull();
  });

  it("is zero for a run without units", () => {
    const none = estimateExpense({ ...facts, units: 0, samples: 0, probe: mergeProbes([]) });
    expect(none).toMatchObject({ requests: 0, inputTokens: 0, expectedWallSeconds: 0 });
  });
});

describe("totalExpense()", () => {
  const one = estimateExpense(facts);

  it("adds up models, with the time of the slowest", () => {
    const slow = estimateExpense({ ...facts, meanLatencyMs: 5_000 });
    expect(totalExpense([one, slow, answeredExpense(7, 7)])).toMatchObject({
      samples: 207,
      requests: 400,
      outputTokens: { expected: 6_000, max: 40_000 },
      costUsd: { expected: 0.8, max: 4.2 },
      batchCostUsd: null,
      expectedWallSeconds: 50,
    });
    expect(totalExpense([one, slow]).batchCostUsd).toEqual({ expected: 0.4, max: 2.1 });
  });

  it("is null where a part is unknown", () => {
    const open = estimateExpense({ ...facts, outputTokensPerSample: null });
    expect(totalExpense([one, open])).toMatchObject({
      outputTokens: { expected: null, max: 40_000 },
      costUsd: { expected: null, max: 4.2 },
    });
    expect(totalExpense([one, estimateExpense({ ...facts, prices: null })]).costUsd).toBeNull();
  });
});

/** A suite that makes the given requests one by one. */
const asking = (...requests: Partial<ChatRequest>[]) =>
  ({
    next: (_task: unknown, replies: readonly unknown[]) => {
      const request = requests[replies.length];
      return request ? { kind: "ask", request } : { kind: "done", answers: [] };
    },
  }) as unknown as Suite;

const task = { samples: [], options: {}, repeat: 0 };
const says = (content: string) => [{ role: "user" as const, content }];

describe("probeUnit()", () => {
  it("counts requests, their characters and the maximum of output tokens", () => {
    const schema = { type: "object" };
    const suite = asking(
      { messages: says("12345"), maxTokens: 100 },
      { messages: says("123"), maxTokens: 50, structured: { name: "x", schema, mode: "auto" } },
    );
    expect(probeUnit(suite, task)).toEqual({
      units: 1,
      requests: 2,
      characters: 5 + 3 + JSON.stringify(schema).length,
      maxTokens: 150,
    });
  });

  it("has no maximum if one request has none", () => {
    const suite = asking({ messages: says("a"), maxTokens: 100 }, { messages: says("b") });
    expect(probeUnit(suite, task).maxTokens).toBeNull();
  });

  it("stops for a suite that never ends", () => {
    const endless = { next: () => ({ kind: "ask", request: { messages: [] } }) };
    expect(probeUnit(endless as unknown as Suite, task).requests).toBe(1_000);
  });
});

it.each([
  [10, 3, [1, 5, 8]],
  [3, 50, [0, 1, 2]],
  [0, 50, []],
  [1_000_000, 1, [500_000]],
])("evenlySpaced(%i, %i) is %j", (length, count, expected) => {
  expect(evenlySpaced(length, count)).toEqual(expected);
});

const basisFacts: BasisFacts = {
  slug: "acme/m",
  units: { probed: 50, all: 240 },
  requests: 480,
  concurrency: 20,
  metered: null,
  latency: { meanMs: 2_000, run: null },
  prices: null,
};

const own = { id: "run_1", modelSlug: "acme/m" };
const other = { id: "run_2", modelSlug: "other/n" };

it.each<[Partial<BasisFacts>, keyof ReturnType<typeof estimateBasis>, string]>([
  [{}, "requests", "from 50 of 240 samples (each repeat, and each group"],
  [{}, "expectedWallSeconds", "480 requests × 2000 ms each, 20 at once; that latency is assumed"],
  [{ latency: { meanMs: 812.4, run: own } }, "expectedWallSeconds", "this model in its newest run"],
  [
    { latency: { meanMs: 812.4, run: other } },
    "expectedWallSeconds",
    "812 ms each, 20 at once; that is the mean latency of another model, in run run_2 of other/n: this model has no timed run yet, and may be faster or slower",
  ],
  [{}, "outputTokens", "no finished run on this dataset to estimate from"],
  [{ metered: other }, "outputTokens", "another model, whose answers may be longer or shorter"],
  [{}, "costUsd", "no prices were given"],
  [
    { prices: { inputPerMillion: 0.15, outputPerMillion: 0.6 } },
    "costUsd",
    "the tokens above at $0.15 per million input tokens and $0.60 per million output tokens",
  ],
])("estimateBasis() of %j explains %s: %s", (more, figure, text) => {
  expect(estimateBasis({ ...basisFacts, ...more })[figure]).toContain(text);
});

it("estimateBasis() mentions no other model if the earlier run is of this model", () => {
  const basis = estimateBasis({ ...basisFacts, metered: own, latency: { meanMs: 1, run: own } });
  expect(JSON.stringify(basis)).not.toContain("another model");
});

it("answeredBasis() gives every figure the same reason", () => {
  expect(new Set(Object.values(answeredBasis())).size).toBe(1);
  expect(Object.keys(answeredBasis()).sort()).toEqual(
    Object.keys(estimateBasis(basisFacts)).sort(),
  );
});
