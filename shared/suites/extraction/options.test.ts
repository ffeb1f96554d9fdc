import { expect, test } from "vitest";
import { defaultOptions, extractionOptionsSchema, newOptionsSchema } from "./options.ts";

test("extractionOptionsSchema fills in the defaults of the specification", () => {
  expect(defaultOptions).toMatchObject({
    temperature: 0,
    maxTokens: 2048,
    structuredOutput: "auto",
    repeats: 1,
    numericTolerance: 0.001,
    coerceTypes: false,
    assertFormats: false,
    weights: { validity: 0.15, partialF1: 0.5, typeAccuracy: 0.2, noHallucination: 0.15 },
  });
});

test.each([
  [{ temprature: 0 }],
  [{ weights: { validity: 0.5 } }],
  [{ weights: { validity: -0.1, partialF1: 0.75 } }],
  [{ structuredOutput: "yaml" }],
  [{ repeats: 0 }],
])("extractionOptionsSchema refuses %j", (options) => {
  expect(extractionOptionsSchema.safeParse(options).success).toBe(false);
});

test("extractionOptionsSchema accepts a null temperature, and weights that sum to 1", () => {
  const weights = { validity: 0, partialF1: 1, typeAccuracy: 0, noHallucination: 0 };
  const parsed = extractionOptionsSchema.parse({ temperature: null, weights });
  expect(parsed).toMatchObject({ temperature: null, weights });
});

test("newOptionsSchema requires {text} in a prompt; extractionOptionsSchema accepts stored options without it", () => {
  const options = { systemPrompt: "Extract.", userPrompt: "From {txt}" };
  expect(extractionOptionsSchema.parse(options)).toMatchObject(options);
  expect(newOptionsSchema.safeParse(options).error?.issues).toMatchObject([
    { path: ["userPrompt"], message: "must contain {text}, or the model never sees the text" },
  ]);
  expect(newOptionsSchema.parse({ ...options, systemPrompt: "{text}" })).toMatchObject({
    userPrompt: "From {txt}",
  });
});
