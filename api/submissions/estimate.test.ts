import { describe, expect, it } from "vitest";
import { answeredExpense, type EstimateFacts, estimateExpense, totalExpense } from "./estimate.ts";
import { mergeProbes } from "./probe-unit.ts";

const probe = { units: 2, requests: 4, characters: 800, maxTokens: 400 };
const facts: EstimateFacts = {
  samples: 100,
  units: 100,
  probe,
  outputTokensPerSample: 30,
  meanLatencyMs: 500,
  concurrency: 20,
  prices: { inputPerMillion: 10, outputPerMillion: 100 },
};

describe("estimateExpense()", () => {
  it("takes the probed units for all", () => {
    expect(estimateExpense(facts)).toEqual({
      samples: 100,
      units: 100,
      requests: 200,
      inputTokens: 10_000,
      outputTokens: { expected: 3_000, max: 20_000 },
      costUsd: { expected: 0.4, max: 2.1 },
      expectedWallSeconds: 5,
    });
  });

  it("leaves open what is not known", () => {
    const open = estimateExpense({
      ...facts,
      outputTokensPerSample: null,
      probe: { ...probe, maxTokens: null },
    });
    expect(open.outputTokens).toEqual({ expected: null, max: null });
    expect(open.costUsd).toEqual({ expected: null, max: null });
    expect(estimateExpense({ ...facts, prices: null }).costUsd).toBeNull();
  });

  it("is nothing for a run without units", () => {
    const none = estimateExpense({ ...facts, units: 0, samples: 0, probe: mergeProbes([]) });
    expect(none).toMatchObject({ requests: 0, inputTokens: 0, expectedWallSeconds: 0 });
  });
});

describe("totalExpense()", () => {
  const one = estimateExpense(facts);

  it("adds up models, and takes the time of the slowest", () => {
    const slow = estimateExpense({ ...facts, meanLatencyMs: 5_000 });
    expect(totalExpense([one, slow, answeredExpense(7, 7)])).toMatchObject({
      samples: 207,
      requests: 400,
      outputTokens: { expected: 6_000, max: 40_000 },
      costUsd: { expected: 0.8, max: 4.2 },
      expectedWallSeconds: 50,
    });
  });

  it("is not known where a part is not", () => {
    const open = estimateExpense({ ...facts, outputTokensPerSample: null });
    expect(totalExpense([one, open])).toMatchObject({
      outputTokens: { expected: null, max: 40_000 },
      costUsd: { expected: null, max: 4.2 },
    });
    expect(totalExpense([one, estimateExpense({ ...facts, prices: null })]).costUsd).toBeNull();
  });
});
