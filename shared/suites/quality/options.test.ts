import { expect, test } from "vitest";
import { defaultOptions, qualityOptionsSchema } from "./options.ts";

test("qualityOptionsSchema fills in the defaults of the specification", () => {
  expect(defaultOptions).toEqual({
    temperature: 0,
    topP: null,
    maxTokens: 2048,
    seed: null,
    repeats: 1,
    passScore: null,
    lengthRatio: 2.5,
    presencePenalty: null,
    frequencyPenalty: null,
    weights: {
      coherence: 0.25,
      completeness: 0.25,
      length: 0.2,
      structure: 0.15,
      vocabulary: 0.15,
    },
  });
});

test.each([
  [{ top_p: 1 }],
  [{ weights: { coherence: 0.5 } }],
  [{ weights: { coherence: -0.25, completeness: 0.75 } }],
  [{ weights: { style: 0 } }],
  [{ lengthRatio: 0 }],
  [{ presencePenalty: 3 }],
  [{ topP: 1.1 }],
  [{ seed: 0.5 }],
  [{ maxTokens: 0 }],
  [{ repeats: 0 }],
])("qualityOptionsSchema refuses %j", (options) => {
  expect(qualityOptionsSchema.safeParse(options).success).toBe(false);
});

test("qualityOptionsSchema accepts weights that sum to 1", () => {
  const weights = { coherence: 0.1, completeness: 0.2, length: 0.3, structure: 0.4, vocabulary: 0 };
  expect(qualityOptionsSchema.parse({ weights }).weights).toEqual(weights);
});
